//! The elements of arrays that conditions about many values search: hashed once in a decision, so that a search takes
//! the time of a lookup.

use std::hash::{BuildHasher, RandomState};

use hookc_base::text::Case;

use crate::compare::{Texts, key};
use crate::event::Item;
use crate::limits::EVENT_VALUES;
use crate::number;
use crate::rows::tag;
use crate::text::fold;

/// The hash of an element, by two random keys: the author of an event cannot find two values with the same one.
type Print = (u64, u64);

/// The arrays that were searched in this decision.
#[derive(Debug, Default)]
pub(super) struct Elements {
    keys: Option<(RandomState, RandomState)>,
    arrays: Vec<Searched>,
}

/// The array of a slot, by its second search.
#[derive(Debug)]
struct Searched {
    slot: u32,
    case: Case,
    /// Sorted; `None` before the second search, and if there are more elements than are kept.
    elements: Option<Vec<Print>>,
    searches: u32,
}

impl Elements {
    /// Forgets the event.
    pub(super) fn clear(&mut self) {
        if !self.arrays.is_empty() {
            self.arrays = Vec::new();
        }
    }

    /// Whether the array of a slot has an element that equals a value; `None` if it has to be searched.
    pub(super) fn has(
        &mut self,
        (slot, case): (u32, Case),
        array: Item<'_>,
        item: Item<'_>,
        texts: &mut Texts,
    ) -> Option<bool> {
        let at = match self.arrays.iter().position(|known| (known.slot, known.case) == (slot, case)) {
            Some(at) => at,
            None => {
                self.arrays.push(Searched { slot, case, elements: None, searches: 0 });
                self.arrays.len().checked_sub(1)?
            }
        };
        let keys = self.keys.get_or_insert_with(Default::default);
        let searched = self.arrays.get_mut(at)?;
        searched.searches = searched.searches.saturating_add(1);
        if searched.searches == 2 {
            searched.elements = printed(keys, array, case, texts);
        }
        let elements = searched.elements.as_ref()?;
        Some(elements.binary_search(&print(keys, item, case, texts)).is_ok())
    }
}

/// The hashes of all elements; `None` for an array with too many.
fn printed(
    keys: &(RandomState, RandomState),
    array: Item<'_>,
    case: Case,
    texts: &mut Texts,
) -> Option<Vec<Print>> {
    let mut parts = Vec::new();
    array.elements(&mut |element| {
        parts.push(print(keys, element, case, texts));
        parts.len() <= EVENT_VALUES
    });
    parts.sort_unstable();
    (parts.len() <= EVENT_VALUES).then_some(parts)
}

/// The hash of a value: equal for equal values, as [`crate::compare::equal`] has it.
fn print(keys: &(RandomState, RandomState), item: Item<'_>, case: Case, texts: &mut Texts) -> Print {
    if let (Item::Str(text), true) = (item, case.is_ignored()) {
        texts.a.clear();
        texts.a.extend(text.chars().map(fold::fold_char));
        return both(keys, tag::STRING, &texts.a);
    }
    let key = key(item, &mut texts.a);
    match item {
        Item::Num(text) if !number::is_plain(text.as_bytes()) => {
            both(keys, key.tag(), &number::canonical(text).unwrap_or_else(|_| text.to_owned()))
        }
        _ => both(keys, key.tag(), key.text()),
    }
}

fn both(keys: &(RandomState, RandomState), tag: u32, text: &str) -> Print {
    (keys.0.hash_one((tag, text)), keys.1.hash_one((tag, text)))
}

#[cfg(test)]
mod tests {
    use hookc_base::text::Case;

    use super::Elements;
    use crate::compare::{Texts, has};
    use crate::event::Item;

    #[test]
    fn as_a_search_finds_them() {
        let array = Item::Array(r#"[null, true, 1.50, 1e2, "é", "A", [1, {"b": 1, "a": 2}], {}, "1"]"#);
        let items = [
            Item::Absent,
            Item::Null,
            Item::Bool(true),
            Item::Bool(false),
            Item::Num("1.5"),
            Item::Num("100"),
            Item::Num("1"),
            Item::Str("é"),
            Item::Str("É"),
            Item::Str("a"),
            Item::Str("1"),
            Item::Str("2"),
            Item::Array(r#"[1.0, {"a": 2, "b": 1}]"#),
            Item::Array("[]"),
            Item::Object("{ }"),
        ];
        let (mut elements, mut texts) = (Elements::default(), Texts::default());
        for case in [Case::Respected, Case::Ignored] {
            assert_eq!(elements.has((3, case), array, Item::Null, &mut texts), None);
            for item in items {
                let expected = Some(has(array, item, case, &mut texts));
                assert_eq!(elements.has((3, case), array, item, &mut texts), expected, "{item:?} {case:?}");
            }
        }
        elements.clear();
        assert_eq!(elements.has((3, Case::Respected), array, Item::Null, &mut texts), None);
    }
}
