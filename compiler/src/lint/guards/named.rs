//! The commands that a low-level condition names, as patterns of `runs`.

use std::collections::BTreeSet;

use hookc_schema::tree::{Cond, CondKind, Leaf, Op};
use hookc_syntax::expr::print;

/// The most commands in a help.
const NAMED: usize = 4;

/// Names of programs and subcommands.
#[derive(Default)]
struct Words {
    names: BTreeSet<String>,
    subs: BTreeSet<String>,
}

/// The patterns of the commands that a condition requires, or else of those that it excludes: `'git push', 'ls'`.
pub(crate) fn commands(cond: &Cond) -> Option<String> {
    [false, true].into_iter().find_map(|negated| {
        let mut words = Words::default();
        words.read(cond, negated);
        words.patterns()
    })
}

/// Those of a leaf.
pub(super) fn commands_of_leaf(leaf: &Leaf) -> Option<String> {
    let mut words = Words::default();
    words.read_leaf(leaf);
    words.patterns()
}

impl Words {
    fn patterns(self) -> Option<String> {
        let patterns: Vec<String> = match self.names.first() {
            Some(name) if self.names.len() == 1 && !self.subs.is_empty() => {
                self.subs.iter().map(|sub| format!("{name} {sub}")).collect()
            }
            _ => self.names.into_iter().collect(),
        };
        let patterns: Vec<String> = patterns.iter().take(NAMED).map(|one| print::literal(one)).collect();
        (!patterns.is_empty()).then(|| patterns.join(", "))
    }

    /// The recursion depth is the nesting of the condition.
    fn read(&mut self, cond: &Cond, negated: bool) {
        match &cond.kind {
            CondKind::Const(_) | CondKind::Predicate(_) => {}
            CondKind::All(parts) | CondKind::Any(parts) => {
                parts.iter().for_each(|part| self.read(part, negated));
            }
            CondKind::Not(part) => self.read(part, !negated),
            CondKind::Quantified(inner) => self.read(&inner.cond, negated),
            CondKind::Leaf(leaf) if negated != (leaf.op.node == Op::Ne) => {}
            CondKind::Leaf(leaf) => self.read_leaf(leaf),
        }
    }

    fn read_leaf(&mut self, leaf: &Leaf) {
        let texts = || leaf.texts().map(|(_, text)| text);
        let plain = texts().filter(|text| is_word(text)).map(str::to_owned);
        match leaf.path.text.rsplit('.').next() {
            Some("name") => self.names.extend(plain),
            Some("sub") => self.subs.extend(plain),
            Some("command") => self.names.extend(texts().filter_map(start)),
            _ => {}
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// The words at the start of a text or pattern that name a program and its subcommand.
fn start(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['^', '(', '\\']);
    let words = text.split([' ', '+', '*', '(', '\\', '$']).take_while(|word| is_word(word)).take(2);
    let words: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
