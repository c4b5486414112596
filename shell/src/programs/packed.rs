//! The packed rows: one text without pointers, of which the row of a program is read when it is first named.

use std::borrow::Cow;
use std::str::Split;
use std::sync::OnceLock;

use super::hash::hash;
use super::model::{self, If, Row, Values};
use crate::token::long;

// `TEXT`, and in it `STARTS`, the start of each row, and `NAMES`, the start and length of each name with the number of
// its row. `SLOTS` is a hash table of the names, from 1 on.
include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// How many programs have a row.
pub(super) const COUNT: usize = STARTS.len();

/// The row of a number.
pub(super) fn row(number: usize) -> Option<&'static Row> {
    static ROWS: [OnceLock<Box<Row>>; COUNT] = [const { OnceLock::new() }; COUNT];
    let start = long(*STARTS.get(number)?);
    let read = || Box::new(Reader { texts: TEXT.get(start..).unwrap_or_default().split('\t') }.row());
    Some(ROWS.get(number)?.get_or_init(read))
}

/// The number of the row of a program, by its exact name.
pub(super) fn find(name: &str) -> Option<usize> {
    let start = hash(name) % SLOTS.len();
    let slots = SLOTS.iter().cycle().skip(start).take(SLOTS.len());
    for slot in slots {
        let (start, length, row) = *NAMES.get(usize::from(slot.checked_sub(1)?))?;
        if TEXT.get(long(start)..long(start) + usize::from(length)) == Some(name) {
            return Some(usize::from(row));
        }
    }
    None
}

/// The names of the first program of a row, without reading the rest.
pub(super) fn same_program(number: usize) -> impl Iterator<Item = &'static str> {
    let start = STARTS.get(number).map(|start| long(*start));
    let mut texts = start.and_then(|start| TEXT.get(start..)).unwrap_or_default().split('\t');
    let (names, also) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
    model::same_program(names, also)
}

struct Reader {
    texts: Split<'static, char>,
}

impl Reader {
    fn text(&mut self) -> &'static str {
        self.texts.next().unwrap_or_default()
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let count = self.text().parse().unwrap_or(0);
        (0..count).map(|_| item(self)).collect()
    }

    fn values(&mut self) -> Values {
        Values::new(self.list(|reader| (reader.text(), Cow::Borrowed(reader.text()))))
    }

    fn row(&mut self) -> Row {
        let mut text = || Cow::Borrowed(self.text());
        let (names, also, group, same_as) = (text(), text(), text(), text());
        let values = self.values();
        let ifs = self.list(|reader| If::new(reader.values()));
        let subs = self.list(Self::row);
        Row::new(names, also, group, same_as, values, Cow::Owned(ifs), Cow::Owned(subs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_their_rows() {
        let mut count = 0;
        for number in 0..COUNT {
            for name in row(number).unwrap().names() {
                assert_eq!(find(name), Some(number), "{name}");
                let program = row(number).unwrap().same_program();
                assert!(same_program(number).eq(program), "{name}");
                count += 1;
            }
        }
        assert_eq!(count, NAMES.len());
        assert_eq!((find(""), find("no such program"), find("gi")), (None, None, None));
    }
}
