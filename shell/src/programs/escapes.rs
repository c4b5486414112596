//! Code for a shell in the code of programs with a language of their own: the key `escapes` of rows.

use std::ops::Range;

use regex::Regex;

use super::notation::Fault;

/// What finds code for a shell in the code of a program.
#[derive(Debug, Default)]
pub(crate) struct Escapes {
    regexes: Vec<Regex>,
    /// One of its regexes cannot be read, so that all code of the program may be for a shell.
    is_broken: bool,
}

/// What a shell gets of a piece of code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// A command line, by its place.
    Line(Range<usize>),
    /// Something that is not on the line.
    Unknown,
}

impl Escapes {
    /// Of a list with a regex on each line.
    pub(crate) fn new(list: &str) -> Self {
        let read: Vec<_> = list.lines().map(regex).collect();
        let is_broken = read.iter().any(Result::is_err);
        Self { regexes: read.into_iter().flatten().collect(), is_broken }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.regexes.is_empty() && !self.is_broken
    }

    /// What a shell gets of a piece of code.
    pub(crate) fn find(&self, code: &str) -> Vec<Escape> {
        let mut found: Vec<Escape> = self.is_broken.then_some(Escape::Unknown).into_iter().collect();
        for regex in &self.regexes {
            found.extend(regex.captures_iter(code).map(|captures| {
                let group = captures.iter().skip(1).flatten().next();
                group.map_or(Escape::Unknown, |group| Escape::Line(group.range()))
            }));
        }
        found
    }
}

/// A regex of the list, in which `^` and `$` are the ends of lines.
fn regex(text: &str) -> Result<Regex, regex::Error> {
    super::regexes::read(&format!("(?m){text}"))
}

/// Reports the first regex of a list that cannot be read.
pub(super) fn check(list: &str) -> Option<Fault> {
    let wrong = list.lines().find(|text| regex(text).is_err())?;
    Some(Fault::new(
        format!("`{wrong}` is no regex, or a very large one"),
        "write a regex whose group is the line for a shell",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::{Row, rows};

    #[test]
    fn regexes_find_lines_and_unknown_code() {
        let escapes = Escapes::new("^!(.*)\n^run$");
        assert_eq!(escapes.find("x\n!rm y\nrun"), [Escape::Line(3..7), Escape::Unknown]);
        assert_eq!(escapes.find("x!y"), []);
        assert_eq!(Escapes::new("(").find("x"), [Escape::Unknown]);
        assert!(check("(").is_some() && check("(a)").is_none() && Escapes::new("").is_empty());
    }

    #[test]
    fn all_regexes_of_rows_can_be_read() {
        fn has(row: &Row) -> usize {
            let count = row.text("escapes").map_or(0, |list| {
                assert_eq!(check(list), None, "{}", row.name());
                1
            });
            count + row.subs().iter().map(has).sum::<usize>()
        }
        assert!(rows().map(has).sum::<usize>() > 10);
    }
}
