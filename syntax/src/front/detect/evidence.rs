//! Whether a text with a list of hooks is a policy: other programs' files also have such lists.
//!
//! The text is parsed, and the first sign ends the reading:
//!
//! - a key at the root that only a policy has,
//! - in the lists of hooks, at any depth, a key `action`, even if misspelled or part of a longer key,
//! - in a hook an `event` of the vocabulary.
//!
//! Aliases and merge keys count as what they repeat.
//!
//! A text that cannot be parsed is judged by its words, so that an intended guard with a syntax error
//! is reported.

use std::borrow::Cow;
use std::collections::HashMap;

use hookc_schema::decode::{Evidence, Key, Type};
use hookc_schema::dialect::{HOOKS, hooks};
use hookc_schema::suggest;
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

use super::shape::CONFIG;
use crate::front::yaml::events::{Event, Events};

/// The key of a hook with its event types.
const EVENT: &str = "event";

/// Whether the text has a sign.
pub(super) fn is_policy(text: &str) -> bool {
    let (mut reader, mut documents) = (Reader::default(), 0);
    for item in Events::new(text) {
        let Ok(item) = item else { return has_sign_in_words(text) };
        match item.event {
            // A policy is one document.
            Event::Document if documents > 0 => return has_sign_in_words(text),
            Event::Document => documents += 1,
            Event::Scalar(text, _) => reader.scalar(text, item.anchor),
            Event::Seq(_) => reader.open(None, item.anchor),
            Event::Map(_) => reader.open(Some(Member::Key), item.anchor),
            Event::End => reader.close(),
            Event::Alias(anchor) => reader.alias(anchor),
            Event::Unknown(_) => return has_sign_in_words(text),
            Event::Anchor(_) | Event::Comment => {}
        }
        if reader.found {
            return true;
        }
    }
    false
}

/// The signs of a node, in case an alias repeats it.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    /// A hook with this content is one of a policy.
    hook: bool,
    /// The name of a known event, or a list with one.
    event: bool,
}

/// The position in a mapping.
#[derive(Debug)]
enum Member {
    Key,
    /// The value of this key, if the key is a scalar.
    Value(Option<String>),
}

/// A sequence or mapping that has not ended.
#[derive(Debug)]
struct Frame {
    /// `None` for a sequence.
    member: Option<Member>,
    anchor: usize,
    /// It is in a list of hooks, or is one.
    in_list: bool,
    /// It is the value of a key `event`.
    events: bool,
}

#[derive(Debug, Default)]
struct Reader {
    stack: Vec<Frame>,
    anchors: HashMap<usize, Signs>,
    found: bool,
}

impl Reader {
    /// The key whose value the next node is.
    fn key(&self) -> Option<&str> {
        match &self.stack.last()?.member {
            Some(Member::Value(key)) => key.as_deref(),
            _ => None,
        }
    }

    fn is_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame { member: Some(Member::Key), .. }))
    }

    /// Whether the next node is in a list of hooks, or is one.
    fn in_list(&self) -> bool {
        let is_list = |key: &str| {
            let item = |key: &Key| match key.is {
                Type::List(Type::Object(item), _) => Some(item.name),
                _ => None,
            };
            hooks::FILE.key(key).and_then(item) == Some(hooks::HOOK.name)
        };
        self.stack.last().is_some_and(|top| top.in_list)
            || (self.stack.len() == 1 && self.key().is_some_and(is_list))
            || (self.stack.len() == 2 && self.is_in_config() && self.key() == Some(HOOKS))
    }

    /// Whether the next node is in `config` of a graph, which contains its hooks.
    fn is_in_config(&self) -> bool {
        let root = self.stack.first().and_then(|root| root.member.as_ref());
        matches!(root, Some(Member::Value(Some(key))) if key == CONFIG)
    }

    /// Whether the mapping of the next node, or of the list that the node is in, is a hook: an item of
    /// a list of hooks.
    fn is_in_hook(&self) -> bool {
        let hook = if self.is_in_config() { 4 } else { 3 };
        let lists = self.stack.iter().skip(hook).filter(|frame| frame.events).count();
        self.stack.len() == hook + lists
    }

    /// Whether the next node is the value of `event`, or an item of it.
    fn names_event(&self) -> bool {
        let in_events = |top: &Frame| top.events && top.member.is_none();
        self.key() == Some(EVENT) || self.stack.last().is_some_and(in_events)
    }

    /// Records signs at the current position.
    fn sign(&mut self, signs: Signs) {
        self.found |= signs.hook && self.in_list();
        for frame in self.stack.iter().filter(|frame| frame.anchor != 0) {
            let seen = self.anchors.entry(frame.anchor).or_default();
            seen.hook |= signs.hook;
            seen.event |= signs.event && frame.member.is_none();
        }
    }

    fn scalar(&mut self, text: Cow<'_, str>, anchor: usize) {
        if self.is_key() {
            self.found |= self.stack.len() == 1 && hooks::FILE.evidence(&text) == Evidence::Alone;
            self.sign(Signs { hook: is_sign(&text), event: false });
            return self.next(Some(text.into_owned()));
        }
        let in_anchored_list = self.stack.last().is_some_and(|top| top.anchor != 0 && top.member.is_none());
        let event = (self.names_event() || anchor != 0 || in_anchored_list) && is_event(&text);
        if anchor != 0 {
            self.anchors.insert(anchor, Signs { hook: false, event });
        }
        let item = self.in_list() && matches!(self.stack.last(), Some(Frame { member: None, .. }));
        let names = event && self.names_event();
        let hook = names && (self.is_in_hook() || !self.in_list());
        let words = item && !self.names_event() && words(&text).any(is_own);
        self.sign(Signs { hook: hook || words, event });
        self.next(None);
    }

    fn alias(&mut self, anchor: usize) {
        let signs = self.anchors.get(&anchor).copied().unwrap_or_default();
        let hook =
            signs.hook || (signs.event && self.names_event() && (self.is_in_hook() || !self.in_list()));
        self.sign(Signs { hook, event: signs.event });
        self.next(None);
    }

    fn open(&mut self, member: Option<Member>, anchor: usize) {
        let (in_list, events) = (self.in_list(), self.names_event());
        self.stack.push(Frame { member, anchor, in_list, events });
    }

    fn close(&mut self) {
        self.stack.pop();
        self.next(None);
    }

    /// A node ended: in a mapping, its value or the next key follows.
    fn next(&mut self, text: Option<String>) {
        let Some(Frame { member: Some(member), .. }) = self.stack.last_mut() else { return };
        *member = match member {
            Member::Key => Member::Value(text),
            Member::Value(_) => Member::Key,
        };
    }
}

/// Whether a key is one that only a hook of a policy has, possibly misspelled or as a part of a
/// longer key: `acton`, `action_type`.
fn is_sign(key: &str) -> bool {
    let start = |word: &str| own_keys().any(|name| word.get(..name.len()) == Some(name));
    is_own(key) || key.split(['_', '-', '.', ' ']).any(|word| is_own(word) || start(word))
}

/// Whether a word is such a key, possibly misspelled.
fn is_own(word: &str) -> bool {
    suggest::slip(word, own_keys()).is_some()
}

fn own_keys() -> impl Iterator<Item = &'static str> {
    hooks::HOOK.keys.iter().filter(|key| key.evidence == Evidence::Alone).map(|key| key.name)
}

/// Whether the vocabulary has the event type.
fn is_event(name: &str) -> bool {
    Vocabulary::builtin().event(Family::Thread, name).is_some()
}

/// The words of a text that is not a mapping, as if it were one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '{' | '}' | '[' | ']' | '"' | '\''))
        .filter(|word| !word.is_empty())
}

/// Whether a text that cannot be parsed has a word that is a sign, or the name of an event after
/// `event`.
fn has_sign_in_words(text: &str) -> bool {
    let mut before = "";
    words(text).any(|word| {
        let event = std::mem::replace(&mut before, word) == EVENT && is_event(word);
        event || is_sign(word)
    })
}

#[cfg(test)]
mod tests {
    use super::is_policy;

    #[test]
    fn keys_of_hooks_are_signs() {
        for text in [
            "hooks:\n  - event: deploy\n    action: {type: allow}\n",
            "hooks:\n  - event: deploy\n    \"act\\u0069on\": {type: allow}\n",
            "{\"hooks\": [{\"event\": \"deploy\", \"action\": {}}]}",
            "hooks:\n  - event: my_event\n    actoin: {type: deny}\n",
            "hooks:\n  - event: my_event\n    Action: {type: deny}\n",
            "hooks:\n  - event: my_event\n    action_type: deny\n",
            "hooks:\n  - event: my_event\n    then: {action: deny}\n",
            "hooks:\n  - event deploy\n    action deny\n",
            "hooks:\n  - ? action\n    : {type: allow}\n",
            "hooks:\n  - [{a: [b, c]}, {d: {e: f}}, action: g]\n",
            "hooks:\n  - name: x\nhooks:\n  - action: {}\n",
            "hooks:\n  - event: Stop\n    do: {}\n",
            "hooks:\n  - event: [deploy, Stop]\n    do: {}\n",
            "builtin_hooks: []\n",
            "return_schema: {}\n",
        ] {
            assert!(is_policy(text), "{text}");
        }
    }

    #[test]
    fn aliases_count_as_what_they_repeat() {
        for (text, expected) in [
            ("a: &a\n  action: {}\nhooks:\n  - *a\n", true),
            ("a: &a\n  - action: {}\nhooks: *a\n", true),
            ("a: &a {action: {}}\nhooks:\n  - <<: *a\n    event: deploy\n", true),
            ("a: &a Stop\nhooks:\n  - event: *a\n", true),
            ("a: &a [deploy, Stop]\nhooks:\n  - event: *a\n", true),
            ("a: &a {event: Stop}\nhooks:\n  - <<: *a\n", true),
            ("a: &a Stop\nhooks:\n  - name: *a\n", false),
            ("a: &a {action: {}}\nb: *a\nhooks:\n  - name: x\n", false),
        ] {
            assert_eq!(is_policy(text), expected, "{text}");
        }
    }

    #[test]
    fn words_elsewhere_are_no_signs() {
        for text in [
            "hooks:\n  - name: a\n    command: b # an action\n",
            "hooks:\n  - id: begin\n    run: start transaction\n",
            "hooks:\n  - name: x\n    run: |\n      action: y\n",
            "hooks:\n  - my_action.py\n",
            "description: hooks for an action\nhooks:\n  - name: x\n",
            "action: y\nhooks:\n  - a\n",
            "hooks: # action\n",
            "hooks: []\n",
            "{\"hooks\": [{\"event\": \"deploy\", \"command\": \"action\"}]}",
            "{\"hooks\": [{\"name\": \"x\", \"on\": [{\"event\": \"Stop\"}]}]}",
            "{\"hooks\": [{\"name\": \"x\", \"on\": {\"event\": [\"Stop\"]}}]}",
        ] {
            assert!(!is_policy(text), "{text}");
        }
    }

    #[test]
    fn the_words_of_a_text_that_cannot_be_parsed_decide() {
        for (text, expected) in [
            ("hooks:\n  - event: deploy\n   action: {type: allow}\n", true),
            ("hooks:\n  - event: deploy\n    acton: {type: \"allow}\n", true),
            ("hooks:\n  - event: Stop\n    do: {type: \"allow}\n", true),
            ("hooks:\n  - event: deploy\n---\naction: x\n", true),
            ("hooks:\n  - *action\n", true),
            ("hooks:\n  - name: transaction\n    do: {type: \"allow}\n", false),
        ] {
            assert_eq!(is_policy(text), expected, "{text}");
        }
    }
}
