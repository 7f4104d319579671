//! Types of what branches and loops carry, after values in them were replaced.
//!
//! In: a rebuilt function, in which a value may stand for another one of which more was known: `x[None][0]` became `x`, whose strides nobody
//! knows. Out: results and carried values promise no more than everything that is carried as them, and what is made of those promises
//! no more than its operands. Promises are only taken back; values and ops stay.

use numptx_ir::array::{ArrayType, Function, Layout, Op, OpKind, Region, Type, ValueData, ValueId, typing};

/// Takes back what results of branches and loops promise and what is carried does not.
pub fn agree(function: &mut Function) {
    // Each round takes back at least one promise, and an array has two.
    for _ in 0..=2 * function.values.len() {
        if !region(&function.body, &mut function.values) {
            return;
        }
    }
}

/// Whether anything was taken back.
fn region(region: &Region, values: &mut [ValueData]) -> bool {
    region.ops.iter().fold(false, |changed, op| visit(op, values) | changed)
}

fn visit(op: &Op, values: &mut [ValueData]) -> bool {
    let mut changed = match op.kind {
        OpKind::For => {
            let carried = op.regions.first().and_then(|body| body.parameters.get(1..)).unwrap_or(&[]);
            hand_on(op.operands.get(3..).unwrap_or(&[]), carried, values)
        }
        OpKind::While => carry_into_regions(op, &op.operands, values),
        _ => derive(op, values),
    };
    for inner in &op.regions {
        changed |= region(inner, values);
    }
    let yielded = |inner: &Region| inner.ops.last().map_or(Vec::new(), |last| last.operands.clone());
    match op.kind {
        OpKind::If => {
            for branch in &op.regions {
                changed |= hand_on(&yielded(branch), &op.results, values);
            }
        }
        OpKind::Try => {
            for body in &op.regions {
                changed |= hand_on(&yielded(body), op.results.get(1..).unwrap_or(&[]), values);
            }
        }
        OpKind::For => {
            for body in &op.regions {
                let carried = body.parameters.get(1..).unwrap_or(&[]);
                changed |= hand_on(&yielded(body), carried, values) | hand_on(carried, &op.results, values);
            }
        }
        OpKind::While => {
            let Some(body) = op.regions.get(1) else { return changed };
            changed |= carry_into_regions(op, &yielded(body), values) | hand_on(&body.parameters, &op.results, values);
        }
        _ => {}
    }
    changed
}

fn carry_into_regions(op: &Op, given: &[ValueId], values: &mut [ValueData]) -> bool {
    op.regions.iter().fold(false, |changed, inner| hand_on(given, &inner.parameters, values) | changed)
}

/// What is carried as other values: those promise no more.
fn hand_on(given: &[ValueId], taken: &[ValueId], values: &mut [ValueData]) -> bool {
    let mut changed = false;
    for (given, taken) in given.iter().zip(taken) {
        let (Type::Array(found), Type::Array(promised)) = (ty(values, *given), ty(values, *taken)) else { continue };
        changed |= set(values, *taken, Type::Array(weaker(promised, found)));
    }
    changed
}

/// Results whose types follow from operands.
fn derive(op: &Op, values: &mut [ValueData]) -> bool {
    let operands: Vec<Type> = op.operands.iter().map(|v| ty(values, *v)).collect();
    let Ok(Some(types)) = typing::result_types(&op.kind, &operands) else { return false };
    op.results.iter().zip(types).fold(false, |changed, (result, ty)| set(values, *result, ty) | changed)
}

fn ty(values: &[ValueData], value: ValueId) -> Type {
    values[value.0 as usize].ty
}

fn set(values: &mut [ValueData], value: ValueId, ty: Type) -> bool {
    std::mem::replace(&mut values[value.0 as usize].ty, ty) != ty
}

/// What both promise. Along at most one axis C and F are one.
fn weaker(promised: ArrayType, found: ArrayType) -> ArrayType {
    let is_kept = promised.layout == found.layout || (promised.rank <= 1 && found.layout != Layout::Any);
    ArrayType {
        layout: if is_kept { promised.layout } else { Layout::Any },
        writable: promised.writable && found.writable,
        ..promised
    }
}

#[cfg(test)]
mod tests {
    use numptx_ir::array::parse::parse;
    use numptx_ir::array::verify::verify;

    use super::agree;
    use crate::Limit;
    use crate::SIMPLIFY;
    use crate::Unobserved;
    use crate::run;

    /// What a place promises, and a type that promises less.
    const PROMISES: [(&str, &str); 4] = [
        ("f64[2] C mut", "f64[2] any mut"),
        ("f64[2] F mut", "f64[2] C mut"),
        ("f64[2] any mut", "f64[2] any"),
        ("f64[2] C mut", "f64[2] any"),
    ];

    /// Every way in which an array is carried: `GIVEN` comes in as `%1`, places are of type `PLACE`, `%9` is what comes out.
    const WAYS: [&str; 7] = [
        "%9 = if %2 { yield %1 } else { yield %0 } : PLACE",
        "%9 = if %2 { yield %0 } else { yield %1 } : PLACE",
        "%9 = for %3, %4, %4, %1 (%5: i64, %6: PLACE) { yield %6 } : PLACE",
        "%9 = for %3, %4, %4, %0 (%5: i64, %6: PLACE) { yield %1 } : PLACE",
        "%9 = while %1 (%5: PLACE) { yield %2 } do (%6: PLACE) { yield %6 } : PLACE",
        "%9 = while %0 (%5: PLACE) { yield %2 } do (%6: PLACE) { yield %1 } : PLACE",
        "%9 = for %3, %4, %4, %0 (%5: i64, %6: PLACE) { %7 = if %2 { yield %1 } else { yield %6 } : PLACE; yield %7 } : PLACE",
    ];

    fn program(place: &str, given: &str, way: &str) -> String {
        let exported = r#"export "f" "f()" ("x": f64[:, :], "y": f64[:, :], "c": bool) -> f64[2]"#;
        let way = way.replace("; ", "\n").replace("{ ", "{\n").replace(" }", "\n}").replace("PLACE", place);
        format!(
            "module \"m\"\nfunc @f.0 mayalias source (%0 \"x\": {place}, %1 \"y\": {given}, %2 \"c\": bool) {{\n{exported}\n\
             %3 = constant<0> : i64\n%4 = constant<1> : i64\n{way}\n%10 = permute<1, 0> %9 : RESULT\nreturn %10\n}}\n"
        )
        .replace("RESULT", &permuted(place))
    }

    fn permuted(place: &str) -> String {
        place.replace(" C", " X").replace(" F", " C").replace(" X", " F")
    }

    #[test]
    fn nothing_promises_more_than_what_is_handed_on() {
        for (place, given) in PROMISES {
            for way in WAYS {
                let text = program(place, given, way);
                let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
                assert!(verify(&module).is_err(), "nothing is promised:\n{text}");
                agree(&mut module.functions[0]);
                assert_eq!(verify(&module), Ok(()), "{place} from {given}:\n{module}");
            }
        }
    }

    #[test]
    fn what_agrees_stays() {
        for (place, _) in PROMISES {
            for way in WAYS {
                let mut module = parse(&program(place, place, way)).expect("the text is right");
                assert_eq!(verify(&module), Ok(()));
                let before = module.to_string();
                agree(&mut module.functions[0]);
                assert_eq!(module.to_string(), before);
            }
        }
    }

    /// `x[i][None][0]` is `x[i]`, of which less is known.
    #[test]
    fn a_view_that_becomes_its_base_may_be_handed_on() {
        for way in WAYS {
            let chain = "%20 = index<0> %1, %3 : f64[0] any mut\n%21 = new_axis<0> %20 : f64[1] C mut\n\
                         %22 = drop_axis<0> %21 : f64[0] C mut\n%30 = index<0> %0, %3 : f64[0] any mut\n\
                         %31 = new_axis<0> %30 : f64[1] C mut\n%32 = drop_axis<0> %31 : f64[0] C mut\n";
            let way = way.replace("%1 ", "%22 ").replace("%1)", "%22)").replace("%0 ", "%32 ");
            let text = program("f64[0] C mut", "f64[1] any mut", &way)
                .replace("%0 \"x\": f64[0] C mut", "%0 \"x\": f64[1] any mut")
                .replace("f64[:, :]", "f64[:]")
                .replace("-> f64[2]", "-> f64[0]")
                .replace("permute<1, 0>", "permute")
                .replace("f64[0] F mut", "f64[0] C mut")
                .replace("%9 = ", &format!("{chain}%9 = "));
            let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
            assert_eq!(verify(&module), Ok(()), "{text}");
            let result = run(&mut module, [&SIMPLIFY], Limit::None, &mut Unobserved);
            assert!(result.is_ok(), "{result:?}");
        }
    }
}
