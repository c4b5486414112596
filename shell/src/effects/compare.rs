//! Whether patterns cover one another: an `except` that excludes nothing, a pattern that another one covers.

use super::command;
use super::pattern::name::NamePattern;
use super::pattern::path::PathPattern;
use super::sets::{Fault, Sets};
use super::{PatternKind, Set};

/// How what one pattern matches relates to what another one matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Nothing matches both.
    Disjoint,
    /// All that matches the second matches the first.
    Covers,
    /// Neither is certain.
    Unclear,
}

/// Two patterns of one kind.
trait Related {
    fn covers(&self, other: &Self) -> bool;
    fn is_disjoint(&self, other: &Self) -> bool;
}

impl Related for PathPattern {
    fn covers(&self, other: &Self) -> bool {
        self.includes(other)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        !self.overlaps(other)
    }
}

impl Related for NamePattern {
    fn covers(&self, other: &Self) -> bool {
        self.includes(other)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        !self.overlaps(other)
    }
}

/// A pattern as it is compared with others of its kind: read once, for any number of comparisons.
#[derive(Debug)]
pub struct Comparable<'t> {
    text: &'t str,
    read: Option<Read>,
}

/// Patterns without sets that have exceptions.
#[derive(Debug)]
enum Read {
    Paths(Vec<PathPattern>),
    Names(Vec<NamePattern>),
    /// The names of the programs.
    Programs(Vec<String>),
}

impl<'t> Comparable<'t> {
    /// Reads a pattern of a kind.
    #[must_use]
    pub fn new(kind: PatternKind, text: &'t str, sets: &[Set]) -> Self {
        let sets = Sets { declared: sets, programs: Default::default() };
        let read = match kind {
            PatternKind::Path => {
                let path =
                    |text: &str| PathPattern::new(text).map_err(|reason| Fault::unreadable(text, reason));
                alternatives(sets, kind, text, &path).map(Read::Paths)
            }
            PatternKind::Host | PatternKind::Package | PatternKind::Branch => {
                let name = |text: &str| {
                    NamePattern::new(text, kind).map_err(|reason| Fault::unreadable(text, reason))
                };
                alternatives(sets, kind, text, &name).map(Read::Names)
            }
            PatternKind::Command => {
                let command = command::read(text, sets).ok();
                command.and_then(|command| command.program_names()).map(Read::Programs)
            }
            PatternKind::Text | PatternKind::Word => None,
        };
        Self { text, read }
    }

    /// How this pattern relates to another one of its kind, if both can be read. Sets with exceptions are unclear.
    #[must_use]
    pub fn relation(&self, other: &Self) -> Relation {
        match (&self.read, &other.read) {
            (Some(Read::Paths(first)), Some(Read::Paths(second))) => of_choices(first, second),
            (Some(Read::Names(first)), Some(Read::Names(second))) => of_choices(first, second),
            _ if self.text == other.text => Relation::Covers,
            // Commands of programs with different names are disjoint; more is not compared.
            (Some(Read::Programs(first)), Some(Read::Programs(second)))
                if !first.iter().any(|name| second.contains(name)) =>
            {
                Relation::Disjoint
            }
            _ => Relation::Unclear,
        }
    }
}

/// How two patterns of a kind relate.
#[must_use]
pub fn relation(kind: PatternKind, first: &str, second: &str, sets: &[Set]) -> Relation {
    let [first, second] = [first, second].map(|text| Comparable::new(kind, text, sets));
    first.relation(&second)
}

fn alternatives<P>(
    sets: Sets<'_>,
    kind: PatternKind,
    pattern: &str,
    make: &dyn Fn(&str) -> Result<P, Fault>,
) -> Option<Vec<P>> {
    let choice = sets.choice(&[pattern], kind, make).ok()?;
    choice.parts.is_empty().then_some(choice.of)
}

fn of_choices<P: Related>(first: &[P], second: &[P]) -> Relation {
    let is_covered = |second: &P| first.iter().any(|first| first.covers(second));
    let is_apart = |second: &P| first.iter().all(|first| first.is_disjoint(second));
    if second.iter().all(is_covered) {
        Relation::Covers
    } else if second.iter().all(is_apart) {
        Relation::Disjoint
    } else {
        Relation::Unclear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations() {
        use PatternKind::{Branch, Command, Host, Path};
        let set = Set {
            name: "ours".to_owned(),
            of: vec!["*.pem".to_owned(), "a.key".to_owned()],
            ..Set::default()
        };
        let cases = [
            (Path, "*.pem", "key.pem", Relation::Covers),
            (Path, "*.pem", "*.pem", Relation::Covers),
            (Path, "*", "*.pem", Relation::Covers),
            (Path, "**", "src/**", Relation::Covers),
            (Path, "src/**", "src/*.rs", Relation::Covers),
            (Path, "./src/**", "src/a/b", Relation::Covers),
            (Path, "src/**", "test/**", Relation::Disjoint),
            (Path, "src/*.rs", "*.rs", Relation::Unclear),
            (Path, "*.rs", "src/*.rs", Relation::Covers),
            (Path, "*.rs", "src/*.md", Relation::Disjoint),
            (Path, "/etc/**", "src/**", Relation::Unclear),
            (Path, "~/.ssh/**", "~/.ssh/id_rsa", Relation::Covers),
            (Path, "~/.ssh", "~/.aws", Relation::Unclear),
            (Path, "~/.ssh", "/home/u/.ssh", Relation::Unclear),
            (Path, "@system", "~/.ssh", Relation::Covers),
            (Path, "/etc/**", "/usr/*", Relation::Disjoint),
            (Path, "env:*", "**", Relation::Disjoint),
            (Path, "env:*", "env:X", Relation::Covers),
            (Path, "env:*", "ref:X", Relation::Disjoint),
            (Path, "@ours", "b.pem", Relation::Covers),
            (Path, "@ours", "{a.key,b.pem}", Relation::Covers),
            (Path, "@secrets", "x.pem", Relation::Unclear),
            (Host, "*.example", "a.example", Relation::Covers),
            (Host, "localhost", "127.*", Relation::Disjoint),
            (Branch, "release/*", "main", Relation::Disjoint),
            (Command, "git push", "npm publish", Relation::Disjoint),
            (Command, "git push", "git push -f", Relation::Unclear),
            (Command, "* --dry-run", "npm publish", Relation::Unclear),
        ];
        for (kind, first, second, expected) in cases {
            assert_eq!(
                relation(kind, first, second, std::slice::from_ref(&set)),
                expected,
                "{first} {second}"
            );
        }
    }
}
