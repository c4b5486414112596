//! The commands that a low-level condition names, as patterns of `runs`.

use std::collections::BTreeSet;

use hookc_schema::tree::{Cond, Leaf, Op};
use hookc_syntax::expr::print;

/// The most commands in a help.
const NAMED: usize = 4;

/// The patterns of the commands that a condition requires, or else of those that it excludes: `'git push', 'ls'`.
pub(crate) fn commands(cond: &Cond) -> Option<String> {
    [false, true].into_iter().find_map(|excludes| {
        let leaves = cond.walk().filter_map(|part| Some((part.leaf()?, part.negated != excludes)));
        let leaves = leaves.filter(|(leaf, negated)| *negated == (leaf.op.node == Op::Ne));
        patterns(leaves.map(|(leaf, _)| leaf))
    })
}

/// The patterns of the commands that some tests name.
pub(super) fn patterns<'l>(leaves: impl IntoIterator<Item = &'l Leaf>) -> Option<String> {
    let (mut names, mut subs) = (BTreeSet::new(), BTreeSet::new());
    for leaf in leaves {
        let texts = leaf.texts().map(|(_, text)| text);
        match leaf.path.text.rsplit('.').next() {
            Some("name") => names.extend(texts.filter(|text| is_word(text)).map(str::to_owned)),
            Some("sub") => subs.extend(texts.filter(|text| is_word(text)).map(str::to_owned)),
            Some("command") => names.extend(texts.filter_map(start)),
            _ => {}
        }
    }
    let patterns: Vec<String> = match names.first() {
        Some(name) if names.len() == 1 && !subs.is_empty() => {
            subs.iter().map(|sub| format!("{name} {sub}")).collect()
        }
        _ => names.into_iter().collect(),
    };
    let patterns: Vec<String> = patterns.iter().take(NAMED).map(|one| print::literal(one)).collect();
    (!patterns.is_empty()).then(|| patterns.join(", "))
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
