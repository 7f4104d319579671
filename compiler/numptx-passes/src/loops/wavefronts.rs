//! Sequential loops as wavefronts: one launch whose threads share the points of each time.
//!
//! In: a loop that is neither parallel nor may go inside of parallel ones. Out: a nest that all threads share, if times are found for the parts of
//! its body at which many points may run together.

use std::collections::{BTreeMap, HashMap};

use numptx_ir::DType;
use numptx_ir::array::{LoopWay, Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use super::faults::Checks;
use super::front_steps::Team;
use super::fronts::{Fronts, fronts};
use super::guards::HostProgram;
use super::parts::parts;
use super::place::Plan;
use super::team::team_nest;
use super::translate::{Program, translate};
use crate::dependence::{Affine, Variable, wavefront};
use crate::form_nests::FormNests;

impl FormNests<'_> {
    fn checks(&self) -> Checks<'_> {
        Checks { fault: self.fault, at_points: Some(&self.at_points), payload: None }
    }

    /// The loop as a wavefront.
    pub fn fronts(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        // A point that fails ends alone.
        if !op.results.is_empty() || !self.at_points.is_empty() {
            return None;
        }
        let parts = parts(self.function, op)?;
        let whole = [&plan.around, std::slice::from_ref(&parts.op)].concat();
        let asked = translate(&self.surroundings(self.checks()), &Program::of(&whole)).ok()?;
        let outer = *asked.loops.get(&op.regions[0].parameters[0])?;
        let schedule = wavefront(&asked.nest, outer)?;
        let fronts = fronts(&parts, &asked, &schedule)?;
        let mut host = HostProgram::new(self.function, op.span);
        let first = extreme(&mut host, &fronts.first, &asked.symbols, ScalarOp::Min)?;
        let last = extreme(&mut host, &fronts.last, &asked.symbols, ScalarOp::Max)?;
        let one = host.number(1);
        let end = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![last, one], DType::I64);
        let width = extreme(&mut host, &fronts.widths, &asked.symbols, ScalarOp::Max)?;
        let width = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![width, one], DType::I64);
        let mut ops = std::mem::take(&mut host.ops);
        let values = values_of(&fronts, &asked.symbols)?;
        let team = Team { fronts, times: [first, end], values };
        let program =
            translate(&self.surroundings(self.checks()), &Program { team: Some(&team), ..Program::of(&whole) }).ok()?;
        let may_run = program.code.n_written() > 0 && program.code.is_team() && self.is_apart(&program);
        if !may_run || self.shares_temporaries(&program) {
            return None;
        }
        ops.extend(team_nest(self.function, program, (width, width), op.span));
        self.decide(op, LoopWay::Wavefront, plan);
        let inner: Vec<&Op> = op.regions[0].ops.iter().filter(|inner| matches!(inner.kind, OpKind::For)).collect();
        inner.iter().for_each(|inner| self.decide(inner, LoopWay::Wavefront, plan));
        let spans: Vec<Span> = inner.iter().map(|inner| inner.span).collect();
        self.decide_inner(op, &spans, LoopWay::InPoint, plan);
        Some(ops)
    }
}

/// The least or the largest of some functions.
fn extreme(
    host: &mut HostProgram,
    functions: &[Affine],
    values: &HashMap<Variable, ValueId>,
    op: ScalarOp,
) -> Option<ValueId> {
    let mut found = None;
    for function in functions {
        let value = host.value(function, values)?;
        found = Some(match found {
            Some(other) => host.scalar(OpKind::Scalar(op), vec![other, value], DType::I64),
            None => value,
        });
    }
    found
}

/// The host's values of all that points of fronts depend on.
fn values_of(fronts: &Fronts, symbols: &HashMap<Variable, ValueId>) -> Option<BTreeMap<Variable, ValueId>> {
    let mut values = BTreeMap::new();
    for front in &fronts.fronts {
        let functions = front.bounds.iter().chain([&front.outer]).chain(&front.inner);
        for (variable, _) in functions.flat_map(Affine::terms) {
            if *variable != fronts.time && *variable != fronts.count {
                values.insert(*variable, *symbols.get(variable)?);
            }
        }
    }
    Some(values)
}
