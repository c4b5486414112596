//! Brace expansion: `a{b,c}` is `ab ac`.

use super::{Unit, Word};
use crate::limits;

/// The longest word whose braces are expanded.
const LONGEST: usize = 4096;

/// The words of a brace expansion. `marks` are the positions of unquoted `{`, `,` and `}`.
pub(super) fn expand(word: &[Unit], marks: &[usize], words: &mut Vec<Word>) {
    if word.len() > LONGEST {
        words.push(vec![Unit::Unknown]);
        return;
    }
    let before = words.len();
    let mut todo = vec![(word.to_vec(), marks.to_vec())];
    while let Some((word, marks)) = todo.pop() {
        if words.len() - before + todo.len() >= limits::SHELL_WORDS {
            words.truncate(before);
            words.push(vec![Unit::Unknown]);
            return;
        }
        match group(&word, &marks) {
            None => words.push(word),
            // The first alternative is processed first.
            Some(group) => todo.extend(group.alternatives(&word, &marks).into_iter().rev()),
        }
    }
}

/// The first pair of braces that is expanded.
struct Group {
    open: usize,
    commas: Vec<usize>,
    close: usize,
}

fn group(word: &[Unit], marks: &[usize]) -> Option<Group> {
    let mut open: Vec<Group> = Vec::new();
    let mut first: Option<Group> = None;
    for at in marks {
        match word.get(*at) {
            Some(Unit::Char('{')) => open.push(Group { open: *at, commas: Vec::new(), close: 0 }),
            Some(Unit::Char(',')) => {
                if let Some(group) = open.last_mut() {
                    group.commas.push(*at);
                }
            }
            Some(Unit::Char('}')) => {
                let Some(mut group) = open.pop() else { continue };
                group.close = *at;
                let inner = word.get(group.open + 1..*at).unwrap_or_default();
                let dots = inner.windows(2).any(|two| two == [Unit::Char('.'), Unit::Char('.')]);
                let is = !group.commas.is_empty() || dots;
                if is && first.as_ref().is_none_or(|first| group.open < first.open) {
                    first = Some(group);
                }
            }
            _ => {}
        }
    }
    first
}

impl Group {
    fn alternatives(&self, word: &[Unit], marks: &[usize]) -> Vec<(Word, Vec<usize>)> {
        if self.commas.is_empty() {
            // A row of numbers or letters.
            return vec![self.put(word, marks, (self.open, self.open), true)];
        }
        let starts = [self.open].into_iter().chain(self.commas.iter().copied());
        let ends = self.commas.iter().copied().chain([self.close]);
        let some = starts.zip(ends).take(limits::SHELL_WORDS + 1);
        some.map(|(start, end)| self.put(word, marks, (start + 1, end), false)).collect()
    }

    /// The word with one alternative instead of the group.
    fn put(
        &self,
        word: &[Unit],
        marks: &[usize],
        (start, end): (usize, usize),
        unknown: bool,
    ) -> (Word, Vec<usize>) {
        let mut new = word.get(..self.open).unwrap_or_default().to_vec();
        new.extend(unknown.then_some(Unit::Unknown));
        new.extend_from_slice(word.get(start..end).unwrap_or_default());
        let behind = new.len();
        new.extend_from_slice(word.get(self.close + 1..).unwrap_or_default());
        let place = |at: &usize| match *at {
            at if at < self.open => Some(at),
            at if at >= start && at < end => Some(at - start + self.open),
            at if at > self.close => Some(at - self.close - 1 + behind),
            _ => None,
        };
        (new, marks.iter().filter_map(place).collect())
    }
}
