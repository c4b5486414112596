//! Translates regular expressions of ECMA-262 (§22.2.1, with the harmless parts of Annex B), which
//! JSON Schema uses, to the syntax of the `regex` crate. A translated pattern has its meaning with
//! the flag `u`: `\d` and `\w` are ASCII, `.` stops at line ends.
//!
//! Everything that runs in linear time is translated; look-around and back-references are reported
//! by name.

mod class;
mod escape;

use std::ops::Range;

/// Why a pattern is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EcmaError {
    /// Bytes of the pattern.
    pub at: Range<usize>,
    /// The name of the construct with its article: `a look-ahead`.
    pub what: &'static str,
    /// Whether ECMA-262 allows it.
    pub valid: bool,
}

/// The equivalent pattern for the `regex` crate.
///
/// # Errors
/// The first construct that is not ECMA-262; otherwise the first one that does not run in linear
/// time.
pub fn translate(pattern: &str) -> Result<String, EcmaError> {
    let mut reader = Reader::new(pattern);
    reader.all()?;
    match reader.refused {
        Some(refused) => Err(refused),
        None => Ok(reader.out),
    }
}

/// Whether a text is a regular expression of ECMA-262.
#[must_use]
pub fn is_valid(pattern: &str) -> bool {
    Reader::new(pattern).all().is_ok()
}

/// `.`: no line end.
const DOT: &str = r"[^\n\r\x{2028}\x{2029}]";

/// The nesting limit of groups, which is that of the `regex` crate.
const GROUPS: usize = 200;

/// Reads a pattern and writes its translation.
struct Reader<'p> {
    pattern: &'p str,
    at: usize,
    out: String,
    /// The start positions of open groups.
    open: Vec<usize>,
    /// Whether a quantifier may follow.
    atom: bool,
    /// The first construct that does not run in linear time.
    refused: Option<EcmaError>,
}

type Read<T = ()> = Result<T, EcmaError>;

impl<'p> Reader<'p> {
    fn new(pattern: &'p str) -> Self {
        Self { pattern, at: 0, out: String::new(), open: Vec::new(), atom: false, refused: None }
    }

    fn all(&mut self) -> Read {
        while let Some(c) = self.next() {
            self.one(c)?;
        }
        match self.open.last() {
            Some(start) => Err(self.wrong(*start..start.saturating_add(1), "a group that is not closed")),
            None => Ok(()),
        }
    }

    fn rest(&self) -> &'p str {
        self.pattern.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at = self.at.saturating_add(c.len_utf8());
        Some(c)
    }

    /// Consumes a text if it is next.
    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at = self.at.saturating_add(text.len());
        }
        found
    }

    fn wrong(&self, at: Range<usize>, what: &'static str) -> EcmaError {
        EcmaError { at, what, valid: false }
    }

    /// The text from `start` to here is not ECMA-262.
    fn wrong_since<T>(&self, start: usize, what: &'static str) -> Read<T> {
        Err(self.wrong(start..self.at, what))
    }

    /// Notes what linear time cannot do.
    fn refuse(&mut self, start: usize, what: &'static str) {
        let refused = EcmaError { at: start..self.at, what, valid: true };
        self.refused.get_or_insert(refused);
    }

    fn one(&mut self, c: char) -> Read {
        let start = self.at.saturating_sub(c.len_utf8());
        let text = match c {
            '\\' => return self.escape(start),
            '[' => return self.class(start),
            '(' => return self.group(start),
            ')' => return self.close(start),
            '*' | '+' | '?' => return self.quantifier(start),
            '{' => match self.counted(start)? {
                true => return Ok(()),
                false => r"\{",
            },
            '|' | '^' | '$' => {
                self.out.push(c);
                self.atom = false;
                return Ok(());
            }
            '.' => DOT,
            c => {
                self.literal(c);
                return Ok(());
            }
        };
        self.out.push_str(text);
        self.atom = true;
        Ok(())
    }

    /// A literal character.
    fn literal(&mut self, c: char) {
        push_char(c, &mut self.out);
        self.atom = true;
    }

    /// The text after an opening parenthesis. Groups need no numbers, because nothing refers to
    /// them.
    fn group(&mut self, start: usize) -> Read {
        if self.take("?") && !self.take(":") {
            let around = [("<=", LOOK_BEHIND), ("<!", LOOK_BEHIND), ("=", LOOK_AHEAD), ("!", LOOK_AHEAD)];
            match around.into_iter().find(|(mark, _)| self.take(mark)) {
                Some((_, what)) => self.refuse(start, what),
                None if self.take("<") => self.name(start)?,
                None => self.modifiers(start)?,
            }
        }
        self.open.push(start);
        if self.open.len() > GROUPS {
            self.refuse(start, "a group nested too deep");
        }
        self.out.push_str("(?:");
        self.atom = false;
        Ok(())
    }

    /// The name of a group and its `>`.
    fn name(&mut self, start: usize) -> Read {
        let from = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            self.next();
        }
        let named = self
            .pattern
            .get(from..self.at)
            .is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$'));
        if named && self.take(">") { Ok(()) } else { self.wrong_since(start, "a group without a name") }
    }

    /// `(?i-m:`, which ECMA-262 has since 2025.
    fn modifiers(&mut self, start: usize) -> Read {
        while self.peek().is_some_and(|c| matches!(c, 'i' | 'm' | 's' | '-')) {
            self.next();
        }
        if !self.take(":") {
            return self.wrong_since(start, "an unknown kind of group");
        }
        self.refuse(start, "a group with flags");
        Ok(())
    }

    fn close(&mut self, start: usize) -> Read {
        if self.open.pop().is_none() {
            return self.wrong_since(start, "an unmatched `)`");
        }
        self.out.push(')');
        self.atom = true;
        Ok(())
    }

    fn quantifier(&mut self, start: usize) -> Read {
        if !self.atom {
            return self.wrong_since(start, "a repetition of nothing");
        }
        let _ = self.take("?");
        self.out.push_str(self.pattern.get(start..self.at).unwrap_or_default());
        self.atom = false;
        Ok(())
    }

    /// `{2}`, `{2,}`, `{2,3}`; any other text after a brace is literal.
    fn counted(&mut self, start: usize) -> Read<bool> {
        let Some((inside, _)) = self.rest().split_once('}') else { return Ok(false) };
        let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
        let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if least.is_empty() || !number(least) || !number(most) {
            return Ok(false);
        }
        self.at = self.at.saturating_add(inside.len()).saturating_add(1);
        let trimmed = |text: &'p str| text.trim_start_matches('0');
        let (least, most_digits) = (trimmed(least), trimmed(most));
        let order = least.len().cmp(&most_digits.len()).then_with(|| least.cmp(most_digits));
        if !most.is_empty() && order.is_gt() {
            return self.wrong_since(start, "a repetition whose bounds are out of order");
        }
        self.quantifier(start)?;
        Ok(true)
    }
}

const LOOK_AHEAD: &str = "a look-ahead";
const LOOK_BEHIND: &str = "a look-behind";

/// Appends a character as itself, inside a class or outside.
fn push_char(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() || c == '_' || (!c.is_ascii() && !c.is_control() && !c.is_whitespace()) {
        out.push(c);
    // `\<` and `\>` are word boundaries.
    } else if c.is_ascii_punctuation() && !matches!(c, '<' | '>') {
        out.extend(['\\', c]);
    } else {
        out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
    }
}

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::*;

    fn found(pattern: &str, text: &str) -> bool {
        regex::Regex::new(&translate(pattern).unwrap()).unwrap().is_match(text)
    }

    #[test]
    fn angle_brackets_are_themselves() {
        assert!(found("^a<b>$", "a<b>") && found("[<]", "<") && !found("<", "a") && !found(r"\>", "a b"));
    }

    #[test]
    fn patterns_have_the_meaning_of_ecma_262() {
        for (pattern, yes, no) in [
            (r"^\d$", "0", "\u{966}"),
            (r"^\w$", "_", "é"),
            (r"^\s$", "\u{feff}", "\u{180e}"),
            (r"^\S$", "a", "\u{a0}"),
            (r"^.$", "\u{85}", "\u{2028}"),
            (r"^\cA\x41\u0042\u{43}\/\-$", "\u{1}ABC/-", "cA"),
            (r"^\uD83D\uDC32*$", "\u{1f432}\u{1f432}", "x"),
            (r"^[^]$", "\n", ""),
            (r"a|^[]$", "a", ""),
            (r"^[\w&&x]$", "&", "&&"),
            (r"^[[:alpha:]]$", "a]", "a"),
            (r"^[\b\]\-a-c]+$", "\u{8}]-b", "d"),
            (r"^[+--]$", ",", "."),
            (r"^(?<n>a{2,3})(?:b)??$", "aaab", "a"),
            (r"^a{,2}{$", "a{,2}{", "aa"),
            (r"^\p{Lu}\P{Script=Greek}$", "Aa", "aα"),
            ("^a\\.b ~#$", "a.b ~#", "axb ~#"),
            (r"^[\D]$", "x", "1"),
            (r"^$", "", "\n"),
            (r"\bx\B", " xy", "\u{e9} x"),
        ]
        .into_iter()
        .step_by(amount(1, 4))
        {
            assert!(found(pattern, yes), "{pattern} is in {yes:?}");
            assert!(!found(pattern, no), "{pattern} is not in {no:?}");
        }
    }

    #[test]
    fn rejected_input() {
        let what = |pattern| translate(pattern).unwrap_err();
        for (pattern, message) in [
            ("a(?=b)", "a look-ahead"),
            ("(?<!b)", "a look-behind"),
            (r"(a)\1", "a back-reference"),
            (r"\k<n>", "a back-reference"),
            ("(?i:a)", "a group with flags"),
        ] {
            let error = what(pattern);
            assert!(error.valid && error.what == message && is_valid(pattern), "{pattern}: {error:?}");
        }
        for pattern in [
            "(",
            ")",
            "a**",
            "*",
            "^*",
            "a{2}{3}",
            "a{3,2}",
            "[b-a]",
            "[a",
            r"\",
            r"\e",
            r"\u12",
            r"\x1",
            r"\u{110000}",
            "(?P<n>a)",
            "(?i)a",
            "(?<1>a)",
            r"\p{",
            r"[\01]",
            r"\c1",
        ] {
            assert!(!what(pattern).valid && !is_valid(pattern), "{pattern}");
        }
        assert_eq!(what("é(?=b)").at, 2..5);
    }
}
