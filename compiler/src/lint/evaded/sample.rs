//! A command line for which a test of text is true.

use hookc_schema::tree::{Leaf, Op};
use hookc_syntax::pattern;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use crate::lint::text;

/// The longest line that is shown.
const LONGEST: usize = 120;

/// A line for which a test is true.
pub(super) struct Sample {
    /// The line.
    pub(super) line: String,
    /// Whether its first word is not of the policy.
    pub(super) is_completed: bool,
}

impl Sample {
    /// A line that a text of a leaf describes; whether the leaf is true for it must be tested.
    pub(super) fn of(leaf: &Leaf) -> Option<Self> {
        let whole = matches!(leaf.op.node, Op::Eq | Op::In);
        first_text(leaf).and_then(|text| Self::from(&text, whole))
    }

    /// A line with a text of each leaf.
    pub(super) fn of_all(leaves: &[&Leaf]) -> Option<Self> {
        let mut parts: Vec<(Position, String)> = leaves
            .iter()
            .map(|leaf| first_text(leaf).map(|text| (Position::of(leaf, &text), text)))
            .collect::<Option<_>>()?;
        parts.sort_by_key(|(position, _)| *position);
        let mut texts: Vec<&str> = Vec::new();
        for (_, text) in &parts {
            let is_in_another =
                parts.iter().any(|(_, other)| other.len() > text.len() && other.contains(text.trim()));
            if !is_in_another && !texts.contains(&text.as_str()) {
                texts.push(text);
            }
        }
        Self::from(&texts.join(" "), parts.iter().any(|(position, _)| *position == Position::Whole))
    }

    /// The line that begins with a text, or has it behind a word.
    fn from(text: &str, whole: bool) -> Option<Self> {
        let is_plain = |c: char| !c.is_control() && c != '`';
        if text.len() > LONGEST || !text.chars().all(is_plain) || text.trim().is_empty() {
            return None;
        }
        if whole {
            return Some(Self { line: text.to_owned(), is_completed: false });
        }
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let first = words.first()?;
        let is_completed = !first.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '~' | '_'));
        if is_completed {
            words.insert(0, "x");
        }
        if text.ends_with(char::is_whitespace) {
            words.push("x");
        }
        Some(Self { line: words.join(" "), is_completed })
    }
}

/// Where the text of a leaf is in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    Whole,
    Start,
    Anywhere,
    /// Behind a command: the text starts with an operator.
    Behind,
    End,
}

impl Position {
    fn of(leaf: &Leaf, text: &str) -> Self {
        let is_anywhere = || match text.trim_start().starts_with(['|', '&', ';', '>', '<']) {
            true => Self::Behind,
            false => Self::Anywhere,
        };
        let written = leaf.texts().next().map(|(_, text)| text).unwrap_or_default();
        let (starts, ends) = match leaf.op.node {
            Op::Eq | Op::In => return Self::Whole,
            Op::StartsWith => (true, false),
            Op::EndsWith => (false, true),
            Op::Glob => (!written.starts_with('*'), !written.ends_with('*')),
            Op::Regex => text::anchored(written).unwrap_or_default(),
            _ => (false, false),
        };
        match (starts, ends) {
            (true, _) => Self::Start,
            (false, true) => Self::End,
            (false, false) => is_anywhere(),
        }
    }
}

/// A text that the first text of a leaf describes.
fn first_text(leaf: &Leaf) -> Option<String> {
    let fold = leaf.ignore_case.is_some();
    let mut found = leaf.texts().filter_map(|(_, text)| match leaf.op.node {
        Op::Regex => pattern::hir(text, fold).and_then(|hir| matched(&hir)),
        Op::Glob => Some(without_stars(text)),
        _ => Some(text.to_owned()),
    });
    found.next()
}

/// A text that a glob matches: without its stars.
fn without_stars(glob: &str) -> String {
    glob.replace('*', "")
}

/// A text that a pattern probably matches. The recursion depth is the nesting of the pattern, which its parser limits.
fn matched(hir: &Hir) -> Option<String> {
    let mut out = String::new();
    push(hir, &mut out).then_some(out)
}

/// Whether the text of a part could be appended.
fn push(hir: &Hir, out: &mut String) -> bool {
    if out.len() > LONGEST {
        return false;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(text) => {
            let text = std::str::from_utf8(&text.0);
            text.is_ok_and(|text| {
                out.push_str(text);
                true
            })
        }
        HirKind::Class(class) => match one_of(class) {
            Some(c) => {
                out.push(c);
                true
            }
            None => false,
        },
        HirKind::Repetition(repeated) => {
            if repeated.min == 0 {
                // Whatever is between two words.
                out.extend(is_anything(repeated).then_some(' '));
                return true;
            }
            (0..repeated.min).all(|_| push(&repeated.sub, out))
        }
        HirKind::Capture(capture) => push(&capture.sub, out),
        HirKind::Concat(parts) => parts.iter().all(|part| push(part, out)),
        HirKind::Alternation(parts) => parts.first().is_some_and(|part| push(part, out)),
    }
}

/// Whether it repeats characters that can be spaces and letters.
fn is_anything(repeated: &Repetition) -> bool {
    let HirKind::Class(Class::Unicode(class)) = repeated.sub.kind() else { return false };
    let has = |c: char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c));
    repeated.max.is_none() && has(' ') && has('x')
}

/// A character of a class that is plain in a command line, if there is one.
fn one_of(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let has = |c: &char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(c));
    [' ', 'x']
        .into_iter()
        .chain('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .chain("/-_.=~".chars())
        .find(has)
}
