//! Whether patterns cover one another: an `except` that excludes nothing, a pattern that another one covers.

use super::command;
use super::pattern::choice::Choice;
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

/// How two patterns of a kind relate, if both can be read. Sets with exceptions are unclear.
#[must_use]
pub fn relation(kind: PatternKind, first: &str, second: &str, sets: &[Set]) -> Relation {
    let reader = Sets { declared: sets, programs: Default::default() };
    let found = match kind {
        PatternKind::Path => {
            let path = |text: &str| PathPattern::new(text).map_err(|reason| Fault::unreadable(text, reason));
            both(reader, kind, [first, second], &path)
        }
        PatternKind::Host | PatternKind::Package | PatternKind::Branch => {
            let name =
                |text: &str| NamePattern::new(text, kind).map_err(|reason| Fault::unreadable(text, reason));
            both(reader, kind, [first, second], &name)
        }
        PatternKind::Command => return of_commands(first, second, reader),
        PatternKind::Text | PatternKind::Word => None,
    };
    found.unwrap_or(if first == second { Relation::Covers } else { Relation::Unclear })
}

fn both<P: Related>(
    sets: Sets<'_>,
    kind: PatternKind,
    patterns: [&str; 2],
    make: &dyn Fn(&str) -> Result<P, Fault>,
) -> Option<Relation> {
    let read = |pattern: &str| -> Option<Choice<P>> {
        let choice = sets.choice(&[pattern], kind, make).ok()?;
        choice.parts.is_empty().then_some(choice)
    };
    let [first, second] = patterns.map(read);
    let (first, second) = (first?, second?);
    let is_covered = |second: &P| first.of.iter().any(|first| first.covers(second));
    let is_apart = |second: &P| first.of.iter().all(|first| first.is_disjoint(second));
    Some(if second.of.iter().all(is_covered) {
        Relation::Covers
    } else if second.of.iter().all(is_apart) {
        Relation::Disjoint
    } else {
        Relation::Unclear
    })
}

/// Commands of programs with different names are disjoint; more is not compared.
fn of_commands(first: &str, second: &str, sets: Sets<'_>) -> Relation {
    if first == second {
        return Relation::Covers;
    }
    let [first, second] = [first, second].map(|pattern| command::read(pattern, sets).ok()?.program_names());
    match (first, second) {
        (Some(first), Some(second)) if !first.iter().any(|name| second.contains(name)) => Relation::Disjoint,
        _ => Relation::Unclear,
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
