//! Predicates about effects: from the tree to the program's, and back to text.

use hookc_schema::Spanned;
use hookc_schema::span::Span;
use hookc_schema::tree::{self, UncomparedSpan};
use hookc_schema::value::Text;
use hookc_shell::effects::{Guard, Predicate};
use hookc_syntax::expr::print;

/// The predicate of a tree.
pub(crate) fn from_tree(predicate: &tree::Predicate) -> Predicate {
    match predicate {
        tree::Predicate::Guard(inner) => Predicate::Guard(guard(inner)),
        tree::Predicate::Only(guards) => Predicate::Only(guards.iter().map(guard).collect()),
        tree::Predicate::Unknown => Predicate::Unknown,
        tree::Predicate::Mentions(of) => Predicate::Mentions(texts(of)),
        tree::Predicate::Passed(of) => Predicate::Passed(texts(of)),
    }
}

fn guard(guard: &tree::Guard) -> Guard {
    let (of, except) = (texts(&guard.of), texts(&guard.except));
    let (by, not_by) = (texts(&guard.by), texts(&guard.not_by));
    Guard { verb: guard.verb, is_possible: guard.is_possible, of, except, by, not_by }
}

fn texts(patterns: &[tree::Pattern]) -> Vec<String> {
    patterns.iter().map(|pattern| pattern.node.value.clone()).collect()
}

/// The bytes of a predicate as an expression.
pub(crate) fn text(bytes: &[u8]) -> String {
    match Predicate::decode(bytes) {
        Ok((predicate, _)) => shown(&predicate),
        Err(malformed) => malformed.to_string(),
    }
}

/// A predicate as an expression.
pub(crate) fn shown(predicate: &Predicate) -> String {
    print::predicate(&to_tree(predicate))
}

fn to_tree(predicate: &Predicate) -> tree::Predicate {
    match predicate {
        Predicate::Guard(guard) => tree::Predicate::Guard(tree_guard(guard)),
        Predicate::Only(guards) => tree::Predicate::Only(guards.iter().map(tree_guard).collect()),
        Predicate::Unknown => tree::Predicate::Unknown,
        Predicate::Mentions(of) => tree::Predicate::Mentions(patterns(of)),
        Predicate::Passed(of) => tree::Predicate::Passed(patterns(of)),
    }
}

fn tree_guard(guard: &Guard) -> tree::Guard {
    tree::Guard {
        of: patterns(&guard.of),
        except: patterns(&guard.except),
        by: patterns(&guard.by),
        not_by: patterns(&guard.not_by),
        ..tree::Guard::new(UncomparedSpan::default(), guard.verb, guard.is_possible)
    }
}

fn patterns(texts: &[String]) -> Vec<tree::Pattern> {
    texts.iter().map(|text| Spanned::new(Text::plain(text.as_str()), Span::default())).collect()
}
