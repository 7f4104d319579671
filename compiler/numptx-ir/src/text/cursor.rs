//! A position in a list of tokens, and what is commonly expected there.

use super::token::tokenize;
use super::{ParseError, Token};
use crate::DType;

/// How deeply regions, tuples and order terms may nest.
const DEPTH_LIMIT: usize = 100;

/// Reads tokens one after the other.
pub(crate) struct Cursor {
    tokens: Vec<(Token, usize)>,
    position: usize,
    depth: usize,
}

impl Cursor {
    pub(crate) fn new(text: &str) -> Result<Self, ParseError> {
        Ok(Cursor { tokens: tokenize(text)?, position: 0, depth: 0 })
    }

    pub(crate) fn peek(&self) -> &Token {
        &self.tokens[self.position.min(self.tokens.len() - 1)].0
    }

    /// The line of the next token.
    pub(crate) fn line(&self) -> usize {
        self.tokens[self.position.min(self.tokens.len() - 1)].1
    }

    pub(crate) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.position += 1;
        token
    }

    pub(crate) fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.line(), message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T, ParseError> {
        self.error(format!("expected {what}, found {:?}", self.peek()))
    }

    /// Enters a nested construct; `Err` where there are too many.
    pub(crate) fn enter(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT { self.error("nested too deeply") } else { Ok(()) }
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(crate) fn at_end(&self) -> bool {
        *self.peek() == Token::End
    }

    pub(crate) fn at(&self, punctuation: char) -> bool {
        *self.peek() == Token::Punctuation(punctuation)
    }

    /// Takes a punctuation mark if it stands here.
    pub(crate) fn take(&mut self, punctuation: char) -> bool {
        let found = self.at(punctuation);
        self.position += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, punctuation: char) -> Result<(), ParseError> {
        if self.take(punctuation) { Ok(()) } else { self.expected(&format!("`{punctuation}`")) }
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    /// Takes a word if it stands here.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.position += usize::from(found);
        found
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.take_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    pub(crate) fn word(&mut self) -> Result<String, ParseError> {
        match self.peek().clone() {
            Token::Word(word) => {
                self.position += 1;
                Ok(word)
            }
            _ => self.expected("a word"),
        }
    }

    pub(crate) fn quoted(&mut self) -> Result<String, ParseError> {
        match self.peek().clone() {
            Token::Quoted(text) => {
                self.position += 1;
                Ok(text)
            }
            _ => self.expected("a string"),
        }
    }

    pub(crate) fn symbol(&mut self) -> Result<String, ParseError> {
        match self.peek().clone() {
            Token::Symbol(name) => {
                self.position += 1;
                Ok(name)
            }
            _ => self.expected("`@` and a name"),
        }
    }

    pub(crate) fn number<T: std::str::FromStr>(&mut self) -> Result<T, ParseError> {
        let parsed = if let Token::Number(text) = self.peek() { text.parse().ok() } else { None };
        match parsed {
            Some(number) => {
                self.position += 1;
                Ok(number)
            }
            None => self.expected("a number in range"),
        }
    }

    /// A small count, such as a rank or a position.
    pub(crate) fn count(&mut self) -> Result<usize, ParseError> {
        let number: usize = self.number()?;
        if number > 1 << 16 { self.error(format!("{number} is too large")) } else { Ok(number) }
    }

    pub(crate) fn dtype(&mut self) -> Result<DType, ParseError> {
        let line = self.line();
        let word = self.word()?;
        let message = format!("`{word}` is not a dtype");
        DType::from_short_name(&word).ok_or(ParseError { line, message })
    }

    /// Items up to a closing mark, separated by commas.
    pub(crate) fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.expect(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}
