//! An event under the names of the vocabulary, made of the text that an agent sent without a second
//! copy: the text stays where it is, and grows.
//!
//! An event may have a text under two names, and once more in what the agent sent. A new text next to
//! the sent one would take another size of the event.

use std::ops::Range;

use serde_json::Value;
use serde_json::value::RawValue;

use super::members::Members;
use crate::escaped::decode_within;
use crate::event::members_of;

/// What comes in the place of a part of the sent text.
#[derive(Debug)]
struct Edit {
    at: Range<usize>,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Text(String),
    /// A part of the sent text.
    Sent(Range<usize>),
    /// The first bytes of what a string of the sent text says.
    Decoded {
        string: Range<usize>,
        length: usize,
    },
    /// A part of what this edit wrote before.
    Again(Range<usize>),
}

impl Part {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Sent(range) | Self::Again(range) => range.len(),
            Self::Decoded { length, .. } => *length,
        }
    }
}

/// The changes that make an event of what an agent sent.
#[derive(Debug)]
pub(super) struct Edits(Vec<Edit>);

impl Edits {
    /// The changes between the sent text and the members of the event, which were read from it. If
    /// `input` is given, it is the tool's input; `string` is the content of the string that it was
    /// read from, if the agent sent it as one. `None` if a member is not there any more.
    pub(super) fn new(
        sent: &[u8],
        members: &Members<'_>,
        input: Option<&Members<'_>>,
        string: Option<Range<usize>>,
    ) -> Option<Self> {
        let (mut edits, mut added) = (Vec::new(), Vec::new());
        let places = members_of(sent);
        let end = sent.iter().rposition(|byte| *byte == b'}')?;
        let mut separator = if places.is_empty() { "" } else { "," };
        for (name, value) in members.iter() {
            let place = places.iter().find(|(listed, _)| listed == name).map(|(_, place)| place.clone());
            let lies = within(sent, value);
            let input = input.filter(|_| name == "tool_input");
            let string = string.clone().filter(|_| name == "tool_input");
            match (place, input) {
                (Some(place), None) if lies.as_ref() == Some(&place) => {}
                (Some(place), Some(input)) if lies.as_ref() == Some(&place) => {
                    edits.push(inserted(sent, place, input)?);
                }
                (place, input) => {
                    let parts = written(sent, value, input, string)?;
                    match place {
                        Some(at) => edits.push(Edit { at, parts }),
                        None => {
                            let key = Value::from(name).to_string();
                            added.push(Part::Text(format!("{separator}{key}:")));
                            added.extend(shifted(parts, added.iter().map(Part::len).sum()));
                            separator = ",";
                        }
                    }
                }
            }
        }
        if places.iter().any(|(name, _)| !members.has(name)) {
            return None;
        }
        edits.push(Edit { at: end..end, parts: added });
        edits.sort_by_key(|edit| edit.at.start);
        let edits = Self(edits);
        edits.are_sound(sent.len()).then_some(edits)
    }

    /// The length of the event.
    pub(super) fn size(&self, sent: usize) -> usize {
        let removed: usize = self.0.iter().map(|edit| edit.at.len()).sum();
        let added: usize = self.0.iter().flat_map(|edit| &edit.parts).map(Part::len).sum();
        sent.saturating_sub(removed).saturating_add(added)
    }

    /// The event.
    pub(super) fn apply(self, mut text: Vec<u8>) -> Option<Vec<u8>> {
        let (kept, size) = (self.kept(text.len()), self.size(text.len()));
        text.reserve_exact(size.saturating_sub(text.len()));
        text.resize(size.max(text.len()), b' ');
        // What moves towards the end makes room for what is before it, and the other way around.
        let (ahead, back): (Vec<_>, Vec<_>) = kept.iter().partition(|(from, to)| from.start < *to);
        for (from, to) in ahead.into_iter().rev().chain(back) {
            text.copy_within(from.clone(), *to);
        }
        text.truncate(size);
        let place = |range: &Range<usize>| {
            let (from, to) =
                kept.iter().find(|(from, _)| from.start <= range.start && range.end <= from.end)?;
            let start = range.start.checked_sub(from.start)?.checked_add(*to)?;
            Some(start..start.checked_add(range.len())?)
        };
        let mut removed = 0_usize;
        let mut added = 0_usize;
        for edit in &self.0 {
            let start = edit.at.start.checked_sub(removed)?.checked_add(added)?;
            let mut at = start;
            for part in &edit.parts {
                let end = at.checked_add(part.len())?;
                match part {
                    Part::Text(written) => text.get_mut(at..end)?.copy_from_slice(written.as_bytes()),
                    Part::Sent(range) => text.copy_within(place(range)?, at),
                    Part::Again(range) => {
                        text.copy_within(start.checked_add(range.start)?..start.checked_add(range.end)?, at);
                    }
                    Part::Decoded { string, length } => {
                        decode_within(&mut text, place(string)?, at, *length)?;
                    }
                }
                at = end;
            }
            removed = removed.checked_add(edit.at.len())?;
            added = added.checked_add(at.checked_sub(start)?)?;
        }
        Some(text)
    }

    /// The parts of the sent text that stay, and where they are in the event.
    fn kept(&self, length: usize) -> Vec<(Range<usize>, usize)> {
        let (mut from, mut to) = (0, 0_usize);
        let mut kept = Vec::with_capacity(self.0.len().saturating_add(1));
        for edit in &self.0 {
            kept.push((from..edit.at.start, to));
            to = to.saturating_add(edit.at.start.saturating_sub(from));
            to = to.saturating_add(edit.parts.iter().map(Part::len).sum());
            from = edit.at.end;
        }
        kept.push((from..length, to));
        kept
    }

    /// Whether the edits are disjoint, and what they read stays.
    fn are_sound(&self, length: usize) -> bool {
        let kept = self.kept(length);
        let stays = |range: &Range<usize>| {
            kept.iter().any(|(from, _)| from.start <= range.start && range.end <= from.end)
        };
        let ends = self.0.iter().map(|edit| edit.at.end);
        let disjoint = ends.zip(self.0.iter().skip(1)).all(|(end, next)| end <= next.at.start);
        disjoint
            && self.0.iter().flat_map(|edit| &edit.parts).all(|part| match part {
                Part::Sent(range) | Part::Decoded { string: range, .. } => stays(range),
                Part::Text(_) | Part::Again(_) => true,
            })
    }
}

/// Where a value is in a text that it borrows from.
pub(super) fn within(text: &[u8], value: &RawValue) -> Option<Range<usize>> {
    let start = value.get().as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let range = start..start.checked_add(value.get().len())?;
    (range.end <= text.len()).then_some(range)
}

/// The changes inside an object of the sent text: members that the input has in addition.
fn inserted(sent: &[u8], place: Range<usize>, input: &Members<'_>) -> Option<Edit> {
    let object = sent.get(place.clone())?;
    let end = place.end.checked_sub(1)?;
    Some(Edit { at: end..end, parts: more(object, input, |value| Some(Part::Sent(within(sent, value)?)))? })
}

/// What a member is written as.
fn written(
    sent: &[u8],
    value: &RawValue,
    input: Option<&Members<'_>>,
    string: Option<Range<usize>>,
) -> Option<Vec<Part>> {
    let text = value.get().as_bytes();
    let part = |length: usize| match (within(sent, value), &string) {
        (Some(place), _) => Part::Sent(place.start..place.start.saturating_add(length)),
        (None, Some(string)) => Part::Decoded { string: string.clone(), length },
        (None, None) => Part::Text(value.get().get(..length).unwrap_or_default().to_owned()),
    };
    let Some(input) = input else { return Some(vec![part(text.len())]) };
    let mut parts = vec![part(text.len().checked_sub(1)?)];
    parts.extend(more(text, input, |value| {
        within(sent, value).map(Part::Sent).or_else(|| within(text, value).map(Part::Again))
    })?);
    parts.push(Part::Text("}".to_owned()));
    Some(parts)
}

/// The members that an object does not have yet; `part` finds the value of one.
fn more(object: &[u8], input: &Members<'_>, part: impl Fn(&RawValue) -> Option<Part>) -> Option<Vec<Part>> {
    let places = members_of(object);
    let mut separator = if places.is_empty() { "" } else { "," };
    let mut parts = Vec::new();
    for (name, value) in input.iter().filter(|(name, _)| !places.iter().any(|(listed, _)| listed == name)) {
        parts.push(Part::Text(format!("{separator}{}:", Value::from(name))));
        parts.push(part(value).unwrap_or_else(|| Part::Text(value.get().to_owned())));
        separator = ",";
    }
    places.iter().all(|(name, _)| input.has(name)).then_some(parts)
}

/// The parts of a text that starts later in the same edit.
fn shifted(parts: Vec<Part>, by: usize) -> impl Iterator<Item = Part> {
    parts.into_iter().map(move |part| match part {
        Part::Again(range) => Part::Again(range.start.saturating_add(by)..range.end.saturating_add(by)),
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Edits, Members};

    /// The event after all changes that an adapter makes, in place.
    fn event(sent: &str, change: impl FnOnce(&mut Members<'_>)) -> Option<Value> {
        let mut members = Members::read(sent.as_bytes()).unwrap();
        change(&mut members);
        let expected = members.to_json();
        let edits = Edits::new(sent.as_bytes(), &members, None, None)?;
        let size = edits.size(sent.len());
        let text = edits.apply(sent.as_bytes().to_vec()).unwrap();
        assert_eq!(text.len(), size);
        let value = serde_json::from_slice(&text).unwrap();
        assert_eq!(value, serde_json::from_str::<Value>(&expected).unwrap(), "{sent}");
        Some(value)
    }

    #[test]
    fn members_are_replaced_and_added_in_place() {
        let sent = [
            r#"{}"#,
            r#" { } "#,
            r#"{"a":"a long text","b":1}"#,
            "\n{ \"b\" : [1, 2] , \"a\": \"x\" }\n",
            r#"{"\u0061":"\u0078\ny","b":{"c":"}"}}"#,
        ];
        for sent in sent {
            for new in ["", "y", "a text that is longer than all others"] {
                event(sent, |members| members.put("a", new)).unwrap();
                event(sent, |members| members.put("b", new)).unwrap();
                event(sent, |members| {
                    members.put("a", new);
                    members.put("b", "");
                    members.copy("a", "c");
                    members.copy("b", "a\"b");
                })
                .unwrap();
                event(sent, |members| {
                    members.copy("b", "d");
                    members.put("a", new);
                    members.copy("a", "e");
                });
            }
        }
        // What is copied must stay; such an event is written anew.
        assert_eq!(
            event(r#"{"a":1}"#, |members| {
                members.copy("a", "b");
                members.put("a", 2)
            }),
            None
        );
        assert_eq!(event(r#"{"a":1,"b":2}"#, |members| members.take("a")), None);
        assert_eq!(event(r#"{"a":1}"#, |members| members.copy("a", "b")), Some(json!({"a": 1, "b": 1})));
    }
}
