//! Sums of products of names, as text.
//!
//! In: names, numbers, and sums of them. Out: their text. A name stands for one value: equal texts of two values are two names ([`identified`]).

use std::collections::{BTreeMap, HashMap};

use numptx_ir::array::ValueId;
use numptx_ir::scalar::ScalarOp;

/// `Σ factor · atom + constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// Factors by name.
    pub terms: BTreeMap<String, i64>,
    /// The number.
    pub constant: i64,
}

impl Linear {
    /// The number.
    pub fn number(constant: i64) -> Self {
        Linear { terms: BTreeMap::new(), constant }
    }

    /// A name.
    pub fn atom(text: String) -> Self {
        Linear { terms: BTreeMap::from([(text, 1)]), constant: 0 }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The difference.
    pub fn minus(&self, other: &Linear) -> Self {
        self.clone().plus(other, -1)
    }

    /// The sum of this and a multiple of another.
    pub fn plus(mut self, other: &Linear, factor: i64) -> Self {
        for (atom, n) in &other.terms {
            let sum = self.terms.entry(atom.clone()).or_insert(0);
            *sum = sum.saturating_add(n.saturating_mul(factor));
        }
        self.terms.retain(|_, n| *n != 0);
        self.constant = self.constant.saturating_add(other.constant.saturating_mul(factor));
        self
    }

    /// Whether it is a sum of extents, squares and a number that is at least 0.
    pub fn is_never_negative(&self) -> bool {
        let is_square = |atom: &str| atom.split_once('·').is_some_and(|(a, b)| a == b);
        let is_never = |(atom, n): (&String, &i64)| *n > 0 && (is_square(atom) || atom.contains(".shape["));
        self.constant >= 0 && self.terms.iter().all(is_never)
    }

    /// What is at least 0 where this is not.
    pub fn fails(&self) -> Option<Self> {
        (!self.terms.is_empty()).then(|| Linear::number(-1).plus(self, -1))
    }

    /// Whether something is added to an extent, or taken away from one.
    pub fn has_extent(&self) -> bool {
        self.terms.iter().any(|(atom, n)| *n > 0 && atom.contains(".shape["))
    }

    /// Whether all elements of an array have to be positive, or none of them: that they are not negative, in range, or small is natural.
    pub fn asks_more_of_data(&self) -> bool {
        let is_end = |atom: &String, end: &str| atom.split('\u{e001}').next().is_some_and(|name| name.ends_with(end));
        let has_least = self.terms.iter().any(|(atom, n)| *n > 0 && is_end(atom, ".min()"));
        let has_largest = self.terms.iter().any(|(atom, n)| *n < 0 && is_end(atom, ".max()"));
        (has_least && self.constant < 0 || has_largest && self.constant <= 0) && !self.has_extent()
    }

    /// Whether an extent is to be less than something negative.
    pub fn is_never(&self) -> bool {
        self.constant <= 0
            && self.terms.values().all(|n| *n < 0)
            && self.terms.keys().any(|atom| atom.contains(".shape["))
    }

    /// Without extents that are taken away: more, or the same. Their names are those of `Formulas::shape`.
    pub fn without_extents(mut self) -> Self {
        self.terms.retain(|atom, n| *n > 0 || !atom.contains(".shape["));
        self
    }

    /// Where it is at least 0, and nowhere else, this is: in lowest terms.
    pub fn reduced(mut self) -> Self {
        let divisor = self.terms.values().fold(0_u64, |divisor, n| common_divisor(divisor, n.unsigned_abs()));
        if let Ok(divisor @ 2..) = i64::try_from(divisor) {
            self.terms.values_mut().for_each(|n| *n /= divisor);
            self.constant = self.constant.div_euclid(divisor);
        }
        self
    }

    /// Of its terms and constant those with this sign, as text without it; `None` if there are none.
    fn side(&self, sign: i64) -> Option<String> {
        let mut parts = Vec::new();
        for (atom, n) in &self.terms {
            match n.saturating_mul(sign) {
                1 => parts.push(atom.clone()),
                n if n > 0 => parts.push(format!("{n}·{atom}")),
                _ => {}
            }
        }
        if self.constant.saturating_mul(sign) > 0 {
            parts.push(self.constant.saturating_abs().to_string());
        }
        (!parts.is_empty()).then(|| parts.join(" + "))
    }

    /// That it is 0.
    pub fn is_zero(&self) -> String {
        let of = |sign: i64| self.side(sign).unwrap_or_else(|| "0".to_owned());
        if self.terms.values().all(|n| *n < 0) {
            return format!("{} == {}", of(-1), of(1));
        }
        format!("{} == {}", of(1), of(-1))
    }

    /// That it is at least 0.
    pub fn at_least_zero(mut self) -> String {
        let relation = if self.constant == -1 && !self.terms.is_empty() { ">" } else { ">=" };
        if relation == ">" {
            self.constant = 0;
        }
        let zero = || "0".to_owned();
        let (left, right) = (self.side(1), self.side(-1));
        match (&left, &right) {
            (None, Some(right)) => format!("{right} {} 0", if relation == ">" { "<" } else { "<=" }),
            _ => format!("{} {relation} {}", left.unwrap_or_else(zero), right.unwrap_or_else(zero)),
        }
    }
}

impl std::fmt::Display for Linear {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.side(1), self.side(-1)) {
            (Some(plus), Some(minus)) => write!(f, "{plus} - {}", minus.replace(" + ", " - ")),
            (Some(plus), None) => f.write_str(&plus),
            (None, Some(minus)) => write!(f, "-{}", minus.replace(" + ", " - ")),
            (None, None) => f.write_str("0"),
        }
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// A number of elements times a factor.
pub fn product(factor: u64, extents: &[Linear]) -> String {
    let mut number = i128::from(factor);
    let mut parts = Vec::new();
    for extent in extents {
        match extent.as_number() {
            Some(n) => number = number.saturating_mul(i128::from(n.max(0))),
            None => {
                let text = extent.to_string();
                parts.push(if text.contains(' ') { format!("({text})") } else { text });
            }
        }
    }
    match (number, parts.is_empty()) {
        (0, _) => "0".to_owned(),
        (n, true) => n.to_string(),
        (1, false) => parts.join("·"),
        (n, false) => format!("{n}·{}", parts.join("·")),
    }
}

/// The largest, or the smallest, of several. A length that is not below 0 is the length.
pub fn extreme(kind: ScalarOp, members: Vec<Linear>) -> Linear {
    let sign = if kind == ScalarOp::Max { 1 } else { -1 };
    let mut kept: Vec<Linear> = Vec::new();
    for member in members {
        // Of two that are always as far apart one is never chosen.
        let difference = |other: &Linear| other.minus(&member).as_number().map(|n| n.saturating_mul(sign));
        if kept.iter().any(|other| difference(other).is_some_and(|n| n >= 0)) {
            continue;
        }
        kept.retain(|other| difference(other).is_none());
        kept.push(member);
    }
    if kind == ScalarOp::Max && kept.len() > 1 {
        kept.retain(|member| *member != Linear::default());
    }
    match kept.as_slice() {
        [one] => one.clone(),
        several => {
            let texts: Vec<String> = several.iter().map(Linear::to_string).collect();
            let name = if sign == 1 { "max" } else { "min" };
            Linear::atom(format!("{name}({})", texts.join(", ")))
        }
    }
}

/// Around a text that stands for a value, and between it and the value's number.
const MARKS: [char; 3] = ['\u{e000}', '\u{e001}', '\u{e002}'];

/// A text that stands for this value and no other one.
pub fn identified(text: &str, value: ValueId) -> String {
    let [begin, middle, end] = MARKS;
    format!("{begin}{text}{middle}{}{end}", value.0)
}

/// A formula for people. Where equal texts stand for several values, all but the first have primes.
pub fn shown(formula: &str) -> String {
    let [begin, middle, end] = MARKS;
    let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut out = String::new();
    let mut rest = formula;
    while let Some((before, marked)) = rest.split_once(begin) {
        out.push_str(before);
        let Some(((text, value), after)) = marked.split_once(end).and_then(|(m, r)| Some((m.split_once(middle)?, r)))
        else {
            break;
        };
        let known = values.entry(text).or_default();
        let n = known.iter().position(|v| *v == value).unwrap_or_else(|| {
            known.push(value);
            known.len() - 1
        });
        out.push_str(text);
        out.push_str(&"′".repeat(n));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use numptx_ir::array::ValueId;
    use numptx_ir::scalar::ScalarOp;

    use super::{Linear, extreme, identified, product, shown};

    #[test]
    fn sums_are_written_with_their_signs() {
        let n = Linear::atom("n".into());
        let m = Linear::atom("m".into());
        let sum = n.clone().plus(&m, -2).plus(&Linear::number(-1), 1);
        assert_eq!(sum.to_string(), "n - 2·m - 1");
        assert_eq!(sum.clone().at_least_zero(), "n > 2·m");
        assert_eq!(n.clone().plus(&n, -1).to_string(), "0");
        assert_eq!(Linear::number(3).plus(&m, -1).at_least_zero(), "3 >= m");
        assert_eq!(product(8, &[n.clone().plus(&Linear::number(-2), 1), Linear::number(3)]), "24·(n - 2)");
        assert_eq!(product(8, &[]), "8");
        let twice = Linear::default().plus(&n, 2).plus(&Linear::number(-1), 1);
        assert_eq!(twice.reduced().at_least_zero(), "n > 0");
    }

    #[test]
    fn equal_texts_of_several_values_are_told_apart() {
        let [a, b] = [3, 4].map(|n| Linear::atom(identified("x[i]", ValueId(n))));
        assert_eq!(a.minus(&a).as_number(), Some(0));
        assert_eq!(shown(&a.minus(&b).at_least_zero()), "x[i] >= x[i]′");
        assert_eq!(shown(&a.to_string()), "x[i]");
    }

    #[test]
    fn extremes_of_extremes_are_one() {
        let n = Linear::atom("n".into());
        let less = n.clone().plus(&Linear::number(-1), 1);
        let of = |kind, members: &[&Linear]| extreme(kind, members.iter().map(|m| (*m).clone()).collect()).to_string();
        assert_eq!(of(ScalarOp::Max, &[&less, &Linear::number(1), &n]), "max(1, n)");
        assert_eq!(of(ScalarOp::Max, &[&n, &Linear::number(0)]), "n");
        assert_eq!(of(ScalarOp::Min, &[&n, &less]), "n - 1");
    }
}
