//! Text to tokens. `#` starts a comment that ends with its line.

use super::ParseError;

/// A token. Words also stand for `inf`, `-inf` and nans.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Word(String),
    Number(String),
    Quoted(String),
    /// `@name`
    Symbol(String),
    /// `%n`
    Value(u32),
    /// `$n`
    Val(u32),
    /// `->`
    Arrow,
    Punctuation(char),
    End,
}

/// Splits a text; the last token is `End`.
pub(crate) fn tokenize(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let mut lexer = Lexer { characters: text.chars().collect(), position: 0, line: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let line = lexer.line;
        let token = lexer.token().map_err(|message| ParseError { line, message })?;
        let ends = token == Token::End;
        tokens.push((token, line));
        if ends {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    characters: Vec<char>,
    position: usize,
    line: usize,
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.position).copied()
    }

    fn peek_second(&self) -> Option<char> {
        self.characters.get(self.position + 1).copied()
    }

    fn advance(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.position += 1;
        if character == '\n' {
            self.line += 1;
        }
        Some(character)
    }

    fn skip_blanks(&mut self) {
        while let Some(character) = self.peek() {
            if character == '#' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.advance();
                }
            } else if character.is_whitespace() {
                self.advance();
            } else {
                return;
            }
        }
    }

    fn token(&mut self) -> Result<Token, String> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        match first {
            '"' => self.quoted().map(Token::Quoted),
            '%' | '$' => {
                self.advance();
                let digits = self.take_while(|c| c.is_ascii_digit());
                let number = digits.parse().map_err(|_| format!("`{first}` must be followed by a number"))?;
                Ok(if first == '%' { Token::Value(number) } else { Token::Val(number) })
            }
            '@' => {
                self.advance();
                if self.peek() == Some('"') {
                    return self.quoted().map(Token::Symbol);
                }
                Ok(Token::Symbol(self.take_while(is_symbol_character)))
            }
            '-' if self.peek_second() == Some('>') => {
                self.position += 2;
                Ok(Token::Arrow)
            }
            '-' | '0'..='9' => Ok(self.number_or_infinity()),
            c if c.is_ascii_alphabetic() || c == '_' => Ok(Token::Word(self.take_while(is_word_character))),
            '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | ',' | ':' | ';' | '=' => {
                self.advance();
                Ok(Token::Punctuation(first))
            }
            other => Err(format!("unexpected character `{}`", other.escape_default())),
        }
    }

    fn take_while(&mut self, accept: fn(char) -> bool) -> String {
        let mut text = String::new();
        while let Some(character) = self.peek().filter(|c| accept(*c)) {
            text.push(character);
            self.position += 1;
        }
        text
    }

    fn number_or_infinity(&mut self) -> Token {
        let mut text = String::new();
        if self.peek() == Some('-') {
            text.push('-');
            self.position += 1;
        }
        if self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            text.push_str(&self.take_while(is_word_character));
            return Token::Word(text);
        }
        while let Some(character) = self.peek() {
            let exponent_sign = matches!(character, '+' | '-') && text.ends_with('e');
            if !(character.is_ascii_digit() || matches!(character, '.' | 'e') || exponent_sign) {
                break;
            }
            text.push(character);
            self.position += 1;
        }
        Token::Number(text)
    }

    fn quoted(&mut self) -> Result<String, String> {
        self.advance();
        let mut text = String::new();
        loop {
            match self.advance().ok_or("a string does not end")? {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                character => text.push(character),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        match self.advance().ok_or("a string does not end")? {
            'n' => Ok('\n'),
            't' => Ok('\t'),
            'r' => Ok('\r'),
            'u' => {
                self.advance();
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                self.advance();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                code.ok_or_else(|| format!("`{digits}` is not a character's number"))
            }
            character @ ('"' | '\\') => Ok(character),
            other => Err(format!("unknown escape `\\{}`", other.escape_default())),
        }
    }
}

fn is_word_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_symbol_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

/// A string in quotes, on one line.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// `@name`, in quotes if need be.
pub(crate) fn symbol(name: &str) -> String {
    if !name.is_empty() && name.chars().all(is_symbol_character) {
        format!("@{name}")
    } else {
        format!("@{}", quote(name))
    }
}
