//! Conditions without the parts that others imply.
//!
//! In: functions that are at least 0 and other conditions in words, which hold at once, or several of such. Out: the same in fewer words: of what holds
//! at once the stronger parts, of what suffices alone the weaker ones.

use super::linear::Linear;

/// What never holds.
pub const FALSE: &str = "False";

/// What holds at once.
#[derive(Clone, Debug, Default)]
pub struct All {
    /// Functions that are at least 0.
    pub bounds: Vec<Linear>,
    /// Other conditions.
    pub others: Vec<String>,
}

impl All {
    /// In words, in parts between which there is an `and`; none if it always holds.
    pub fn parts(&self) -> Vec<String> {
        if self.is_false() {
            return vec![FALSE.to_owned()];
        }
        // Of two bounds that differ in their constants the smaller one says it all.
        let is_least = |bound: &&Linear| !self.bounds.iter().any(|other| other != *bound && is_implied(bound, other));
        let bounds = self.bounds.iter().filter(is_least).map(|bound| bound.clone().at_least_zero());
        let others = self.others.iter().filter(|other| !self.tells(other)).cloned();
        let mut parts: Vec<String> = Vec::new();
        for part in bounds.chain(others) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts
    }

    /// In words; `None` if it always holds.
    pub fn text(&self) -> Option<String> {
        Some(self.parts().join(" and ")).filter(|text| !text.is_empty())
    }

    fn is_false(&self) -> bool {
        self.others.iter().any(|other| other == FALSE)
    }

    /// Whether bounds say what this condition says: what is positive is not 0.
    fn tells(&self, other: &str) -> bool {
        let itself = |bound: &&Linear| Linear { constant: 0, ..(*bound).clone() };
        let mut positive = self.bounds.iter().filter(|bound| bound.constant < 0);
        positive.any(|bound| other == format!("{} != 0", itself(&bound)))
    }

    /// Whether another condition holds where this one does, as far as this can be seen.
    fn implies(&self, other: &All) -> bool {
        let is_bounded = |bound: &Linear| self.bounds.iter().any(|own| is_implied(bound, own));
        let is_told = |told: &String| self.others.contains(told) || self.tells(told);
        other.bounds.iter().all(is_bounded) && other.others.iter().all(is_told)
    }
}

/// Whether a function is at least 0 where another one is.
fn is_implied(bound: &Linear, by: &Linear) -> bool {
    bound.terms == by.terms && bound.constant >= by.constant
}

/// What holds where any of these does.
pub fn any(mut alternatives: Vec<All>) -> All {
    alternatives.retain(|alternative| !alternative.is_false());
    let mut kept: Vec<All> = Vec::new();
    for alternative in alternatives {
        if !kept.iter().any(|weaker| alternative.implies(weaker)) {
            kept.retain(|stronger| !stronger.implies(&alternative));
            kept.push(alternative);
        }
    }
    if kept.len() == 1 {
        return kept.remove(0);
    }
    let texts: Vec<String> = kept.iter().filter_map(All::text).collect();
    let other = match texts.as_slice() {
        [] => FALSE.to_owned(),
        // Whatever some condition is, it holds or it does not.
        texts if texts.iter().any(|text| texts.contains(&format!("not ({text})"))) => return All::default(),
        texts => format!("({})", texts.join(" or ")),
    };
    All { bounds: Vec::new(), others: vec![other] }
}

#[cfg(test)]
mod tests {
    use super::{All, any};
    use crate::report::linear::Linear;

    fn at_least(name: &str, constant: i64) -> All {
        let bound = Linear::atom(name.to_owned()).plus(&Linear::number(constant), 1);
        All { bounds: vec![bound], others: Vec::new() }
    }

    #[test]
    fn the_weakest_of_alternatives_is_enough() {
        let text = |alternatives: &[All]| any(alternatives.to_vec()).text();
        assert_eq!(text(&[at_least("n", -2), at_least("n", -1)]).as_deref(), Some("n > 0"));
        assert_eq!(text(&[at_least("n", -1), at_least("n", -2)]).as_deref(), Some("n > 0"));
        assert_eq!(text(&[at_least("n", -1), at_least("m", -1)]).as_deref(), Some("(n > 0 or m > 0)"));
        let never = All { bounds: Vec::new(), others: vec!["False".to_owned()] };
        assert_eq!(text(&[never.clone(), at_least("n", 0)]).as_deref(), Some("n >= 0"));
        assert_eq!(text(&[never]).as_deref(), Some("False"));
        assert_eq!(text(&[at_least("n", 0), All::default()]), None);
    }

    #[test]
    fn what_is_positive_is_not_0() {
        let all = All { others: vec!["n != 0".to_owned()], ..at_least("n", -1) };
        assert_eq!(all.text().as_deref(), Some("n > 0"));
        let all = All { others: vec!["n != 0".to_owned()], ..at_least("n", 0) };
        assert_eq!(all.text().as_deref(), Some("n >= 0 and n != 0"));
    }
}
