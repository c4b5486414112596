//! Brace expansion: `a{b,c}` is `ab ac`, `{1..3}` is `1 2 3`.

use super::super::spare::Draft;
use super::super::token::{Mark, Special, short};
use crate::limits;

/// The longest word whose braces are expanded.
const LONGEST: usize = 4096;

/// A word with the positions of unquoted `{`, `,` and `}`.
#[derive(Clone, Default)]
struct Braced {
    text: String,
    marks: Vec<Mark>,
    braces: Vec<usize>,
    /// The positions of quotes with nothing in them.
    empty_quotes: Vec<usize>,
}

/// The words of a brace expansion, without those that are empty and have no quotes; nothing if
/// there are too many.
pub(super) fn expand(draft: &Draft) -> Option<Vec<(String, Vec<Mark>)>> {
    if draft.text.len() > LONGEST {
        return None;
    }
    let (mut words, mut size) = (Vec::new(), 0);
    let first = Braced {
        text: draft.text.clone(),
        marks: draft.marks.clone(),
        braces: draft.braces.clone(),
        empty_quotes: draft.empty_quotes.clone(),
    };
    let mut todo = vec![first];
    while let Some(word) = todo.pop() {
        size += word.text.len();
        if words.len() + todo.len() >= limits::SHELL_WORDS || size > LONGEST * 16 {
            return None;
        }
        match group(&word) {
            None if word.text.is_empty() && word.empty_quotes.is_empty() => {}
            None => words.push((word.text, word.marks)),
            // The first alternative is processed first.
            Some(group) => todo.extend(group.alternatives(&word)?.into_iter().rev()),
        }
    }
    Some(words)
}

/// The first pair of braces that is expanded.
struct Group {
    open: usize,
    commas: Vec<usize>,
    close: usize,
}

fn group(word: &Braced) -> Option<Group> {
    let mut open: Vec<Group> = Vec::new();
    let mut first: Option<Group> = None;
    for at in &word.braces {
        match word.text.as_bytes().get(*at) {
            Some(b'{') => open.push(Group { open: *at, commas: Vec::new(), close: 0 }),
            Some(b',') => {
                if let Some(group) = open.last_mut() {
                    group.commas.push(*at);
                }
            }
            Some(b'}') => {
                let Some(mut group) = open.pop() else { continue };
                group.close = *at;
                let inner = word.text.get(group.open + 1..*at).unwrap_or_default();
                let is_group = !group.commas.is_empty() || row(inner).is_some();
                if is_group && first.as_ref().is_none_or(|first| group.open < first.open) {
                    first = Some(group);
                }
            }
            _ => {}
        }
    }
    first
}

/// The elements of `1..9` or `a..e..2`; `None` if it is not a row, and an empty one if it is too long.
fn row(text: &str) -> Option<Vec<String>> {
    let mut parts = text.split("..");
    let (from, to, step) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let step = step.map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    let single = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|char| char.is_ascii_alphabetic() && chars.next().is_none())
    };
    let (first, last, letters) = match (single(from), single(to)) {
        (Some(from), Some(to)) => (i64::from(u32::from(from)), i64::from(u32::from(to)), true),
        (None, None) => (from.parse::<i64>().ok()?, to.parse::<i64>().ok()?, false),
        _ => return None,
    };
    let count = usize::try_from(first.abs_diff(last) / step).unwrap_or(usize::MAX);
    if count >= limits::SHELL_WORDS {
        return Some(Vec::new());
    }
    let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.len() > 1;
    let width = if padded(from) || padded(to) { from.len().max(to.len()) } else { 0 };
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    let number = |at: usize| {
        let ahead = step.saturating_mul(i64::try_from(at).unwrap_or(i64::MAX));
        let number = if first <= last { first.saturating_add(ahead) } else { first.saturating_sub(ahead) };
        if letters {
            return u32::try_from(number).ok().and_then(char::from_u32).map(String::from).unwrap_or_default();
        }
        format!("{number:0width$}")
    };
    Some((0..=count).map(number).collect())
}

impl Group {
    fn alternatives(&self, word: &Braced) -> Option<Vec<Braced>> {
        if self.commas.is_empty() {
            let row = row(word.text.get(self.open + 1..self.close)?)?;
            let parts: Vec<Braced> = row.iter().map(|text| self.put(word, None, text)).collect();
            return (!parts.is_empty()).then_some(parts);
        }
        if self.commas.len() > limits::SHELL_WORDS {
            return None;
        }
        let starts = [self.open].into_iter().chain(self.commas.iter().copied());
        let ends = self.commas.iter().copied().chain([self.close]);
        Some(starts.zip(ends).map(|(start, end)| self.put(word, Some((start + 1, end)), "")).collect())
    }

    /// The word with one alternative instead of the group.
    fn put(&self, word: &Braced, range: Option<(usize, usize)>, text: &str) -> Braced {
        let mut new = Braced::default();
        new.add(word, (0, self.open));
        if let Some(range) = range {
            new.add(word, range);
        }
        new.text.push_str(text);
        new.add(word, (self.close + 1, word.text.len()));
        new
    }
}

impl Braced {
    fn add(&mut self, word: &Self, (start, end): (usize, usize)) {
        let here = self.text.len();
        self.text.push_str(word.text.get(start..end).unwrap_or_default());
        let range = short(start)..short(end);
        let marks = word.marks.iter().filter(|mark| range.contains(&mark.at));
        self.marks.extend(marks.map(|mark| Mark { at: mark.at - short(start) + short(here), ..*mark }));
        let braces = word.braces.iter().filter(|at| (start..end).contains(at));
        self.braces.extend(braces.map(|at| at - start + here));
        let empty = word.empty_quotes.iter().filter(|at| (start..=end).contains(at));
        self.empty_quotes.extend(empty.map(|at| at - start + here));
    }
}

/// A word of which only its expansions are known.
pub(super) fn unknown(draft: &Draft) -> (String, Vec<Mark>) {
    let (mut marks, mut from) = (Vec::new(), 0);
    // `{1..1000}`
    let is_inert = draft.text.bytes().all(|byte| byte.is_ascii_digit() || b"{}.,-".contains(&byte));
    let kind = if is_inert { Special::Inert } else { Special::Unknown };
    let fill = |from: u32, to: u32, marks: &mut Vec<Mark>| {
        if from < to {
            marks.push(Mark { at: from, len: to - from, kind });
        }
    };
    for mark in draft.marks.iter().filter(|mark| matches!(mark.kind, Special::Part { .. })) {
        fill(from, mark.at, &mut marks);
        marks.push(*mark);
        from = mark.at + mark.len;
    }
    fill(from, short(draft.text.len()), &mut marks);
    (draft.text.clone(), marks)
}
