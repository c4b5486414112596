//! Fields of lists in the values of options: `src=FILE` of `--secret id=x,src=FILE`.

use std::ops::Range;

use super::{Argument, FlagReading, Reading};
use crate::Word;
use crate::programs::{Field, Opt, Role};

impl<'w> Reading<'w> {
    /// Adds the fields of the value of an option, if the row describes some of them.
    pub(super) fn read_fields(
        &mut self,
        flag: FlagReading<'w>,
        option: Opt<'static>,
        word: Word<'w>,
    ) -> bool {
        let described: Vec<Field<'_>> = self
            .inherited("fields")
            .into_iter()
            .flat_map(|list| list.split(' ').filter_map(Field::parse))
            .filter(|field| option.names().any(|name| name == field.option))
            .collect();
        let Some(first) = described.first() else { return false };
        for item in Item::list(word) {
            let key = word.text().get(item.key.clone()).unwrap_or_default();
            let field = described.iter().find(|field| field.name == "*" || field.name == key);
            let role = match (field, &item.value) {
                // What is unknown can be any field.
                _ if item.is_open => first.role,
                (Some(field), Some(_)) => field.role,
                (None, Some(_)) => Role::Text,
                (_, None) => option.role().unwrap_or(Role::Text),
            };
            let range = item.value.unwrap_or(item.key);
            let argument =
                Argument { flag: Some(flag.name), role: Some(role), range, ..Argument::new(word, flag.at) };
            self.arguments.push(argument);
        }
        true
    }
}

/// An item of a list in a word.
struct Item {
    /// Its name; without an `=`, all of it.
    key: Range<usize>,
    /// What is after its `=`.
    value: Option<Range<usize>>,
    /// Its name has an unknown part.
    is_open: bool,
}

impl Item {
    /// The items of a list with commas. Those in unknown parts separate nothing.
    fn list(word: Word<'_>) -> Vec<Self> {
        let mut holes = word.holes().map(|hole| hole.range).peekable();
        let mut items = Vec::new();
        let mut item = Self::at(0);
        for (at, byte) in word.text().bytes().enumerate() {
            while holes.next_if(|hole| hole.end <= at).is_some() {}
            let is_unknown = holes.peek().is_some_and(|hole| hole.contains(&at));
            match (byte, &mut item.value) {
                (b',', _) if !is_unknown => items.push(std::mem::replace(&mut item, Self::at(at + 1))),
                (_, Some(value)) => value.end = at + 1,
                (b'=', value) if !is_unknown => *value = Some(at + 1..at + 1),
                (_, None) => {
                    item.key.end = at + 1;
                    item.is_open |= is_unknown;
                }
            }
        }
        items.push(item);
        items
    }

    const fn at(at: usize) -> Self {
        Self { key: at..at, value: None, is_open: false }
    }
}
