//! Which variables and tildes of a command line a shell expands, and whether it splits what they stand for.

use std::ops::Range;

/// How a shell reads `~` or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// It is expanded, and whitespace in the value of a variable ends the word.
    Bare,
    /// It is expanded.
    Double,
    /// It is text.
    Literal,
}

/// A `~` or a variable of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion<'l> {
    /// Where it starts.
    pub at: usize,
    /// `~`, `$NAME` or `${NAME...}`.
    pub text: &'l str,
    /// The name of the variable; empty for `~`.
    pub name: &'l str,
    /// How a shell reads it.
    pub quoting: Quoting,
    /// Whether its word starts with it.
    pub starts_word: bool,
    /// Whether it is in a word that sets a variable, which is never split.
    pub assigned: bool,
}

/// The tildes and variables of a line, in order. A tilde is one at the start of a word only.
#[must_use]
pub fn expansions(line: &str) -> Vec<Expansion<'_>> {
    let mut found = Vec::new();
    let (mut single, mut double, mut escaped) = (false, false, false);
    let (mut start, mut assigned, mut word) = (true, false, true);
    let last_close = line.rfind('}');
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let quoting = match () {
            () if single || escaped => Quoting::Literal,
            () if double => Quoting::Double,
            () => Quoting::Bare,
        };
        let rest = line.get(at..).unwrap_or_default();
        match c {
            '\'' if !double && !escaped => single = !single,
            '"' if !single && !escaped => double = !double,
            '\\' if !single && !escaped => {
                escaped = true;
                continue;
            }
            c if quoting == Quoting::Bare && (c.is_whitespace() || ";&|()<>".contains(c)) => {
                (start, assigned, word) = (true, false, true);
                escaped = false;
                continue;
            }
            '~' if start => {
                let quoting = if quoting == Quoting::Bare { quoting } else { Quoting::Literal };
                found.push(Expansion { at, text: "~", name: "", quoting, starts_word: true, assigned });
                start = false;
            }
            '$' => {
                let is_closed = last_close.is_some_and(|last| last > at);
                if let Some((text, name)) = variable(rest, is_closed) {
                    found.push(Expansion { at, text, name, quoting, starts_word: start, assigned });
                    let end = at + text.len();
                    while chars.peek().is_some_and(|(next, _)| *next < end) {
                        chars.next();
                    }
                }
                start = false;
            }
            '=' if word && quoting == Quoting::Bare => assigned = true,
            c => {
                word &= c.is_ascii_alphanumeric() || c == '_';
                start = false;
            }
        }
        escaped = false;
    }
    found
}

/// The variable at the start of a text, as it is written, and its name. `is_closed` says whether a `}` follows.
fn variable(text: &str, is_closed: bool) -> Option<(&str, &str)> {
    let found = variable_at(text, 0)?;
    let length = match found.is_braced {
        true if is_closed => text.find('}')? + 1,
        true => return None,
        false => found.range.end,
    };
    Some((text.get(..length)?, found.name))
}

/// A variable of a text, whatever the quotes around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable<'t> {
    /// `$NAME`, or `${NAME` and one more byte, which is `}` unless it has a default.
    pub range: Range<usize>,
    /// Its name.
    pub name: &'t str,
    /// Whether it is written with a brace.
    pub is_braced: bool,
    /// What follows the name.
    pub after: &'t str,
}

/// The variables of a text in order.
pub fn variables(text: &str) -> impl Iterator<Item = Variable<'_>> {
    text.match_indices('$').filter_map(|(at, _)| variable_at(text, at))
}

/// The variable whose `$` is at a position of a text.
#[must_use]
pub fn variable_at(text: &str, at: usize) -> Option<Variable<'_>> {
    let rest = text.get(at..)?.strip_prefix('$')?;
    let is_braced = rest.starts_with('{');
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(length)?;
    let range = at..at + 1 + length + usize::from(is_braced) * 2;
    (!name.is_empty()).then_some(Variable { range, name, is_braced, after })
}

#[cfg(test)]
mod tests {
    use super::{Quoting, expansions};

    #[test]
    fn as_a_shell_reads_them() {
        use Quoting::{Bare, Double, Literal};
        for (line, expected) in [
            ("$A/x", vec![("$A", Bare, true)]),
            ("sh \"$A/x\" ${B:-.}/y", vec![("$A", Double, true), ("${B:-.}", Bare, true)]),
            (
                "'$A/x' \\$B \"\\$C\"",
                vec![("$A", Literal, true), ("$B", Literal, true), ("$C", Literal, true)],
            ),
            ("~/x a~ '~/y' \"~\"/z", vec![("~", Bare, true), ("~", Literal, true), ("~", Literal, true)]),
            ("x/$A", vec![("$A", Bare, false)]),
            ("a $1 $(b) $", vec![("$1", Bare, true)]),
        ] {
            let found: Vec<_> =
                expansions(line).iter().map(|one| (one.text, one.quoting, one.starts_word)).collect();
            assert_eq!(found, expected, "{line}");
        }
        assert!(expansions("A=$B c").iter().all(|one| one.assigned));
        assert!(expansions("a --b=$C").iter().all(|one| !one.assigned));
    }
}
