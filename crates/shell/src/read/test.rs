//! The expressions between `[[` and `]]`.

use crate::read::arithmetic::evaluated_again;
use crate::read::builder::Style;
use crate::read::cursor::{Read, Reader};
use crate::token::{Keyword, is_meta};
use crate::tree::{Test, Word};
use crate::unread::UnreadKind;

impl Reader<'_> {
    /// Reads an expression and the closing brackets. The place is behind the opening ones.
    pub(super) fn test(&mut self) -> Read<Test> {
        let test = self.test_or()?;
        if !self.at_test_end()? {
            return Err(self.stop(UnreadKind::BadTest));
        }
        self.bump();
        self.bump();
        Ok(test)
    }

    fn test_or(&mut self) -> Read<Test> {
        self.enter()?;
        let left = self.test_and()?;
        let test = if self.take_pair(b'|', b'|') {
            Test::Or(Box::new(left), Box::new(self.test_or()?))
        } else {
            left
        };
        self.leave();
        Ok(test)
    }

    fn test_and(&mut self) -> Read<Test> {
        self.enter()?;
        let left = self.test_term()?;
        let test = if self.take_pair(b'&', b'&') {
            Test::And(Box::new(left), Box::new(self.test_and()?))
        } else {
            left
        };
        self.leave();
        Ok(test)
    }

    fn test_term(&mut self) -> Read<Test> {
        self.spend(0)?;
        self.skip_newlines()?;
        if self.take(b'(') {
            let inner = self.test_or()?;
            self.skip_newlines()?;
            self.expect(b')', UnreadKind::BadTest)?;
            self.skip_newlines()?;
            return Ok(Test::Parenthesised(Box::new(inner)));
        }
        if let Some((Keyword::Bang, end)) = self.keyword() {
            self.enter()?;
            self.at = end;
            let inner = self.test_term()?;
            self.leave();
            return Ok(Test::Not(Box::new(inner)));
        }
        if self.at_test_end()? {
            return Err(self.stop(UnreadKind::BadTest));
        }
        let start = self.at;
        let left = self.required_word(Style::SINGLE)?;
        let written = self.written(start, self.at);
        self.skip_blanks()?;
        let test = if is_unary(&written) {
            if self.at_test_end()? {
                return Err(self.stop(UnreadKind::BadTest));
            }
            let operand = self.required_word(Style::SINGLE)?;
            if matches!(written.as_str(), "-v" | "-R" | "-t") {
                self.expect_no_second_meaning(&operand)?;
            }
            Test::Unary {
                operator: written,
                operand,
            }
        } else if self.at_term_end()? {
            return Ok(Test::Word(left));
        } else {
            let operator = self.test_operator()?;
            self.skip_blanks()?;
            if self.at_test_end()? {
                return Err(self.stop(UnreadKind::BadTest));
            }
            let style = match operator.as_str() {
                "=" | "==" | "!=" => Style::TEST_PATTERN,
                "=~" => Style::REGEX,
                _ => Style::SINGLE,
            };
            let right = self.required_word(style)?;
            if matches!(
                operator.as_str(),
                "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"
            ) {
                self.expect_no_second_meaning(&left)?;
                self.expect_no_second_meaning(&right)?;
            }
            Test::Binary {
                left,
                operator,
                right,
            }
        };
        self.skip_newlines()?;
        Ok(test)
    }

    /// Bash takes these operands for arithmetic or for a name with a subscript, in which it expands once more.
    fn expect_no_second_meaning(&mut self, operand: &Word) -> Read<()> {
        if evaluated_again(&operand.parts) {
            return Err(self.stop(UnreadKind::ArithmeticEscape));
        }
        Ok(())
    }

    fn test_operator(&mut self) -> Read<String> {
        let byte = self.peek();
        if matches!(byte, b'<' | b'>') && self.peek_second() != b'(' {
            self.bump();
            return Ok(char::from(byte).to_string());
        }
        let start = self.at;
        self.required_word(Style::SINGLE)?;
        let written = self.written(start, self.at);
        let known = matches!(
            written.as_str(),
            "=" | "=="
                | "!="
                | "=~"
                | "-eq"
                | "-ne"
                | "-lt"
                | "-le"
                | "-gt"
                | "-ge"
                | "-nt"
                | "-ot"
                | "-ef"
        );
        if known {
            Ok(written)
        } else {
            Err(self.stop(UnreadKind::BadTest))
        }
    }

    fn at_test_end(&mut self) -> Read<bool> {
        self.skip_blanks()?;
        if self.peek() != b']' || self.peek_second() != b']' {
            return Ok(false);
        }
        let second = self.skip_continuations(self.at + 1);
        let next = self.raw(self.skip_continuations(second + 1));
        Ok(next == 0 || is_meta(next))
    }

    fn at_term_end(&mut self) -> Read<bool> {
        let pair = match self.peek() {
            b')' => true,
            byte @ (b'&' | b'|') => self.peek_second() == byte,
            _ => false,
        };
        Ok(pair || self.at_test_end()?)
    }
}

fn is_unary(written: &str) -> bool {
    match written.as_bytes() {
        [b'-', letter] => b"abcdefghknoprstuvwxzGLNOSR".contains(letter),
        _ => false,
    }
}
