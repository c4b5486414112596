//! Lists in a tool's input, such as the commands that it runs: each element is an event, with the element under the name
//! that the vocabulary has for one.
//!
//! Joined to one text, a quote or a comment in one command would hide the next one from a guard.

use std::collections::BTreeMap;

use hookc_schema::agents::ListInput;
use serde_json::value::RawValue;

use super::failed;
use super::fields::two_values;
use super::members::Members;
use super::patch::{BYTES, Files, MOST};
use crate::escaped::decoded;
use crate::event::{Event, EventError};

/// What an agent's event is about, with an event for each.
#[derive(Debug)]
pub(super) enum Several {
    /// The files of a patch.
    Files(Files),
    /// The elements of a list.
    List(List),
}

impl Several {
    /// How many.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Files(files) => files.len(),
            Self::List(list) => list.elements.len(),
        }
    }

    /// The event about one of them, made of that about any other.
    pub(super) fn about(&mut self, event: Event, at: usize) -> Event {
        match self {
            Self::Files(files) => files.about(event, at),
            Self::List(list) => list.about(event, at),
        }
    }
}

/// The elements of a list.
#[derive(Debug)]
pub(super) struct List {
    name: &'static str,
    elements: Vec<Box<RawValue>>,
}

impl List {
    /// The vocabulary's name for one element.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it has more than one element.
    pub(super) fn has_several(&self) -> bool {
        self.elements.len() > 1
    }

    /// The event about another element.
    fn about(&self, event: Event, at: usize) -> Event {
        let place = event.range_in("tool_input", self.name);
        let (Some(place), Some(element)) = (place, self.elements.get(at)) else { return event };
        let mut bytes = event.into_bytes();
        bytes.splice(place, element.get().bytes());
        Event::new(bytes)
    }

    /// Checks that the events about all elements are within the limits, `event` being the one about the first.
    ///
    /// # Errors
    /// They are not.
    pub(super) fn check_size(&self, event: &Event) -> Result<(), EventError> {
        let lengths = || self.elements.iter().map(|element| element.get().len());
        let first = lengths().next().unwrap_or_default();
        let most =
            event.bytes().len().saturating_sub(first).saturating_add(lengths().max().unwrap_or_default());
        let count = self.elements.len();
        match most > hookc_vm::limits::EVENT_BYTES || count > 1 && most.saturating_mul(count) > BYTES {
            true => Err(failed("the tool's input is too large for its elements: send them in parts")),
            false => Ok(()),
        }
    }
}

/// Gives the first element of the list in a tool's input the vocabulary's name.
///
/// # Errors
/// An element is not one text, or the input has another value under that name.
pub(super) fn first(
    input: &mut Members<'_>,
    lists: Option<&'static BTreeMap<String, ListInput>>,
) -> Result<Option<List>, EventError> {
    let mut found: Option<List> = None;
    for (native, list) in lists.into_iter().flatten() {
        let Some(given) = input.get(native).filter(|given| given.get() != "null") else { continue };
        let elements = elements(given, native, list)?;
        let Some(first) = elements.first().cloned() else { continue };
        if let Some(other) = input.get(&list.is) {
            let other = decoded(other.get());
            if elements.iter().any(|element| decoded(element.get()) != other) {
                return Err(two_values(native, &list.is));
            }
            continue;
        }
        input.set(&list.is, first);
        found = Some(List { name: &list.is, elements });
    }
    Ok(found)
}

/// The texts of a list. A text in its place is a list of one, or says the list.
fn elements(given: &RawValue, native: &str, list: &ListInput) -> Result<Vec<Box<RawValue>>, EventError> {
    let text = decoded(given.get());
    let said = text.as_deref().filter(|text| text.trim_start().starts_with('['));
    let elements = serde_json::from_str::<Vec<&RawValue>>(said.unwrap_or(given.get()));
    let mut texts = Vec::new();
    for element in elements.unwrap_or_else(|_| vec![given]) {
        texts.extend(texts_of(element, list).ok_or_else(|| unread(native, list))?);
        if texts.len() > MOST {
            let what = format!("`{native}` of the tool's input has more than {MOST} elements");
            return Err(failed(format!("{what}: send them in parts")));
        }
    }
    Ok(texts)
}

/// The texts of an element: itself, or those of its only member that can have them.
fn texts_of(element: &RawValue, list: &ListInput) -> Option<Vec<Box<RawValue>>> {
    let text = |value: &RawValue| decoded(value.get()).map(|_| value.to_owned());
    if let Some(text) = text(element) {
        return Some(vec![text]);
    }
    let object = Members::read(element.get().as_bytes()).ok()?;
    let mut members = list.of.iter().filter_map(|name| object.get(name));
    let (Some(member), None) = (members.next(), members.next()) else { return None };
    match serde_json::from_str::<Vec<&RawValue>>(member.get()) {
        Ok(several) if !several.is_empty() => several.into_iter().map(text).collect(),
        _ => Some(vec![text(member)?]),
    }
}

fn unread(native: &str, list: &ListInput) -> EventError {
    failed(format!("cannot determine the `{}` of each element of `{native}` of the tool's input", list.is))
}
