//! Amounts that may depend on arguments.
//!
//! In: numbers and formulas. Out: their sums, products and choices, with bounds. Formulas are text for people; bounds are for tests.

use super::model::{Amount, Binding};

impl Amount {
    /// A number.
    pub fn exactly(n: u64) -> Self {
        Amount { text: n.to_string(), least: n, most: Some(n), binding: Binding::Product }
    }

    /// Something that is shown as this text, and is a number or none.
    pub fn unknown(text: String) -> Self {
        let binding = if text.contains(' ') { Binding::Sum } else { Binding::Product };
        Amount { text, least: 0, most: None, binding }
    }

    /// At most one.
    pub fn perhaps() -> Self {
        Amount { text: "0 or 1".into(), least: 0, most: Some(1), binding: Binding::Choice }
    }

    /// The number, if it is the same in every call.
    pub fn exact(&self) -> Option<u64> {
        self.most.filter(|most| *most == self.least)
    }

    /// Both.
    pub fn plus(self, other: Amount) -> Amount {
        let most = self.most.zip(other.most).map(|(a, b)| a.saturating_add(b));
        let least = self.least.saturating_add(other.least);
        let ((a, more_a), (b, more_b)) = (self.parts(), other.parts());
        let formula = [a, b].into_iter().flatten().collect::<Vec<String>>().join(" + ");
        let (text, binding) = match (formula.is_empty(), more_a.saturating_add(more_b)) {
            (true, constant) => (constant.to_string(), Binding::Product),
            (_, 0) if other.shown() == Some(0) => (self.text, self.binding),
            (_, 0) if self.shown() == Some(0) => (other.text, other.binding),
            (_, 0) => (formula, Binding::Sum),
            (_, constant) if constant < 0 => (format!("{formula} - {}", constant.unsigned_abs()), Binding::Sum),
            (_, constant) => (format!("{formula} + {constant}"), Binding::Sum),
        };
        Amount { text, least, most, binding }
    }

    /// `n` each time.
    pub fn times(self, n: &Amount) -> Amount {
        let most = match (self.most, n.most) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (a, b) => a.zip(b).map(|(a, b)| a.saturating_mul(b)),
        };
        let least = self.least.saturating_mul(n.least);
        let (text, binding) = match (self.shown(), n.shown()) {
            (Some(0), _) | (_, Some(0)) => ("0".to_owned(), Binding::Product),
            (Some(a), Some(b)) => (a.saturating_mul(b).to_string(), Binding::Product),
            (Some(1), _) => (n.text.clone(), n.binding),
            (_, Some(1)) => (self.text, self.binding),
            (_, Some(_)) => (format!("{}·{}", n.text, self.at(Binding::Product)), Binding::Product),
            _ => (format!("{}·{}", self.at(Binding::Product), n.at(Binding::Product)), Binding::Product),
        };
        Amount { text, least, most, binding }
    }

    /// One of two.
    pub fn either(self, other: Amount, condition: &str) -> Amount {
        if self == other {
            return self;
        }
        let text = format!("{} if {condition} else {}", self.at(Binding::Sum), other.at(Binding::Sum));
        Amount { text, binding: Binding::Choice, ..self.expecting(other) }
    }

    /// The first one of two, as it is expected.
    pub fn expecting(self, other: Amount) -> Amount {
        let most = self.most.zip(other.most).map(|(a, b)| a.max(b));
        Amount { least: self.least.min(other.least), most, ..self }
    }

    /// The number that the text is.
    pub fn shown(&self) -> Option<u64> {
        self.text.parse().ok()
    }

    /// The text as a formula and a number that is added.
    fn parts(&self) -> (Option<String>, i64) {
        if let Ok(number) = self.text.parse() {
            return (None, number);
        }
        let text = self.at(Binding::Sum);
        if self.binding == Binding::Sum {
            for (sign, operator) in [(1, " + "), (-1, " - ")] {
                let split = text.rsplit_once(operator).map(|(formula, n)| (formula.to_owned(), n.parse::<i64>()));
                if let Some((formula, Ok(n))) = split {
                    return (Some(formula), sign * n);
                }
            }
        }
        (Some(text), 0)
    }

    /// The text, in parentheses where it binds less than this.
    fn at(&self, binding: Binding) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

    #[test]
    fn numbers_are_computed_and_formulas_are_kept() {
        let n = Amount::unknown("n".into());
        let m = Amount::unknown("m - 1".into());
        let two = Amount::exactly(2);
        assert_eq!(two.clone().plus(two.clone()), Amount::exactly(4));
        assert_eq!(two.clone().times(&n).text, "2·n");
        assert_eq!(n.clone().times(&two).plus(Amount::exactly(1)).text, "2·n + 1");
        assert_eq!(n.clone().times(&m).text, "n·(m - 1)");
        assert_eq!(m.clone().plus(two.clone()).plus(n.clone()).plus(two.clone()).text, "m + n + 3");
        assert_eq!(m.clone().plus(Amount::exactly(1)).text, "m");
        let chosen = Amount::exactly(1).either(Amount::exactly(5), "n > 0");
        assert_eq!((chosen.text.as_str(), chosen.least, chosen.most), ("1 if n > 0 else 5", 1, Some(5)));
        assert_eq!(chosen.exact(), None);
        assert_eq!(n.clone().times(&chosen).text, "n·(1 if n > 0 else 5)");
        assert_eq!(Amount::exactly(0).times(&n).exact(), Some(0));
        assert_eq!(two.clone().either(Amount::exactly(2), "n > 0"), two);
        let expected = Amount::exactly(1).expecting(n);
        assert_eq!((expected.text.as_str(), expected.least, expected.most), ("1", 0, None));
    }
}
