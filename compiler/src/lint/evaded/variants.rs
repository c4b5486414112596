//! Other lines that start the commands of a line.

use hookc_schema::tree::{Leaf, Op};
use hookc_syntax::pattern;
use regex_syntax::hir::Look;
use serde_json::Value;

use super::commands::{Commands, is_written};

/// Another line.
pub(super) struct Variant {
    /// The line.
    pub(super) line: String,
    /// What the test is about, if the line has a further command; otherwise it is another spelling.
    pub(super) label: Option<&'static str>,
}

/// Lines with a further command.
pub(super) fn further(line: &str, leaf: &Leaf) -> Vec<Variant> {
    let whole = matches!(leaf.op.node, Op::Eq | Op::In);
    let labelled = |line: String, part: &'static str| {
        let label = if whole { "about the whole line" } else { part };
        Variant { line, label: Some(label) }
    };
    let start = |before: &str| labelled(format!("{before}{line}"), "about the start of the line");
    let end = |after: &str| labelled(format!("{line}{after}"), "about the end of the line");
    let (starts, ends) = match leaf.op.node {
        Op::Contains => (false, false),
        Op::StartsWith => (true, false),
        Op::EndsWith => (false, true),
        Op::Regex => has_anchor(leaf),
        _ => (true, true),
    };
    let before = ["cd x && ", "true; "].into_iter().filter(|_| starts).map(start);
    let after = ["; true", " && true"].into_iter().filter(|_| ends).map(end);
    before.chain(after).collect()
}

/// Whether a pattern has an anchor at its start, and at its end. Only such a pattern can be false for a longer line.
fn has_anchor(leaf: &Leaf) -> (bool, bool) {
    let mut patterns = leaf.texts().filter_map(|(_, text)| pattern::hir(text, false));
    let anchors = patterns.next().map(|hir| hir.properties().look_set());
    let has = |looks: [Look; 3]| anchors.is_some_and(|set| looks.iter().any(|look| set.contains(*look)));
    (has([Look::Start, Look::StartLF, Look::StartCRLF]), has([Look::End, Look::EndLF, Look::EndCRLF]))
}

/// Lines with other spellings of the only command, or of a pipeline.
pub(super) fn spelled(line: &str, commands: &Commands) -> Vec<Variant> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _-./:=@%+,".contains(c);
    if line.contains(" | ") && line.chars().all(|c| is_plain(c) || c == '|') {
        return vec![Variant { line: line.replace(" | ", "|"), label: None }];
    }
    let Some(command) = commands.only().filter(|_| line.chars().all(is_plain)) else { return Vec::new() };
    let words: Vec<&str> = line.split_whitespace().collect();
    let has_sub = command.get("sub").is_some_and(Value::is_string);
    let flags = command.get("flags").and_then(Value::as_object);
    let is_known = has_sub || flags.is_some_and(|flags| !flags.is_empty());
    if !is_known {
        return Vec::new();
    }
    let each = |change: &dyn Fn(&str) -> String| {
        let words: Vec<String> = words
            .iter()
            .map(|word| if is_letters(word) { change(word) } else { (*word).to_owned() })
            .collect();
        words.join(" ")
    };
    let synonyms = flags.and_then(|flags| {
        let others = || flags.keys().filter(|flag| !is_written(flag, &words));
        let long = || others().filter(|flag| flag.len() > 1).map(|flag| format!("--{flag}"));
        let short = || others().filter(|flag| flag.len() == 1).map(|flag| format!("-{flag}"));
        let others: Vec<String> = if long().next().is_some() { long().collect() } else { short().collect() };
        let kept = words.iter().filter(|word| !word.starts_with('-')).map(|word| (*word).to_owned());
        (!others.is_empty()).then(|| kept.chain(others).collect::<Vec<_>>().join(" "))
    });
    let directory = line.strip_prefix("git ").map(|rest| format!("git -C . {rest}"));
    let lines = [
        Some(each(&|word| reversed(word))),
        synonyms,
        Some(each(&|word| apart(word))),
        directory,
        Some(words.join("  ")),
    ];
    lines.into_iter().flatten().map(|line| Variant { line, label: None }).collect()
}

/// Whether a word has several options of one letter.
fn is_letters(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|letters| letters.len() > 1 && letters.bytes().all(|c| c.is_ascii_alphabetic()))
}

fn reversed(word: &str) -> String {
    let letters = word.trim_start_matches('-');
    std::iter::once('-').chain(letters.chars().rev()).collect()
}

fn apart(word: &str) -> String {
    let letters = word.trim_start_matches('-').chars();
    letters.map(|letter| format!("-{letter}")).collect::<Vec<_>>().join(" ")
}
