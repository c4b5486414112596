//! Whether a text has a hook of a policy somewhere: under another key than `hooks`, in a list at the
//! root, deeper, or without the dash of its list.
//!
//! A hook is a mapping with
//!
//! - an `event` of an agent and an `action`, or
//! - an `event` or `when`, and an `action` whose `type` is known.
//!
//! Other programs' files have `event` and `action` too (`{event: push, action: opened}`).

use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

use crate::front::yaml::events::{Event, Events};

/// Whether the text has such a hook. A text that cannot be parsed has none.
pub(super) fn has_hook(text: &str) -> bool {
    // Most texts are not parsed.
    if !text.contains("action") || !(text.contains("event") || text.contains("when")) {
        return false;
    }
    let mut reader = Reader::default();
    for item in Events::new(text) {
        let Ok(item) = item else { return false };
        match item.event {
            Event::Scalar(text, _) => reader.scalar(&text),
            Event::Seq(_) => reader.stack.push(Frame::default()),
            Event::Map(_) => reader.stack.push(Frame { member: Some(Member::Key), ..Frame::default() }),
            Event::End => reader.close(),
            Event::Alias(_) | Event::Unknown(_) => reader.next(Key::Other),
            Event::Document | Event::Anchor(_) | Event::Comment => {}
        }
        if reader.found {
            return true;
        }
    }
    false
}

/// A key that a hook or its action has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Key {
    Event,
    When,
    Action,
    Type,
    #[default]
    Other,
}

impl Key {
    fn from_name(name: &str) -> Self {
        match name {
            "event" => Self::Event,
            "when" | "condition" => Self::When,
            "action" => Self::Action,
            "type" => Self::Type,
            _ => Self::Other,
        }
    }
}

/// The position in a mapping.
#[derive(Clone, Copy, Debug)]
enum Member {
    Key,
    Value(Key),
}

/// A sequence or mapping that has not ended.
#[derive(Debug, Default)]
struct Frame {
    /// `None` for a sequence.
    member: Option<Member>,
    /// It has a key `event` or `when`.
    selects: bool,
    /// Its `event` is one of an agent.
    event: bool,
    /// It has a key `action`.
    action: bool,
    /// Its `action` has a known `type`.
    acts: bool,
    /// Its own `type` is known.
    kind: bool,
}

impl Frame {
    fn is_hook(&self) -> bool {
        self.event && self.action || self.selects && self.acts
    }
}

#[derive(Debug, Default)]
struct Reader {
    stack: Vec<Frame>,
    found: bool,
}

impl Reader {
    fn scalar(&mut self, text: &str) {
        let Some(top) = self.stack.last_mut() else { return };
        match top.member {
            Some(Member::Key) => {
                let key = Key::from_name(text);
                top.selects |= matches!(key, Key::Event | Key::When);
                top.action |= key == Key::Action;
                return self.next(key);
            }
            Some(Member::Value(Key::Event)) => top.event |= is_event(text),
            Some(Member::Value(Key::Type)) => {
                top.kind |= Vocabulary::builtin().actions.contains_key(text);
            }
            // An item of a list of event types.
            None if is_event(text) => {
                if let [.., hook, _] = self.stack.as_mut_slice() {
                    hook.event |= matches!(hook.member, Some(Member::Value(Key::Event)));
                }
            }
            _ => {}
        }
        self.next(Key::Other);
    }

    fn close(&mut self) {
        let Some(closed) = self.stack.pop() else { return };
        self.found |= closed.is_hook();
        if let Some(parent) = self.stack.last_mut() {
            parent.acts |= closed.kind && matches!(parent.member, Some(Member::Value(Key::Action)));
        }
        self.next(Key::Other);
    }

    /// A node ended: in a mapping, the value of this key or the next key follows.
    fn next(&mut self, key: Key) {
        let Some(Frame { member: Some(member), .. }) = self.stack.last_mut() else { return };
        *member = match member {
            Member::Key => Member::Value(key),
            Member::Value(_) => Member::Key,
        };
    }
}

/// Whether agents have the event type.
fn is_event(name: &str) -> bool {
    Vocabulary::builtin().event(Family::Agent, name).is_some_and(|event| event.family == Family::Agent)
}

#[cfg(test)]
mod tests {
    use super::has_hook;

    #[test]
    fn hooks_anywhere() {
        for (text, expected) in [
            ("hooks:\n  event: PreToolUse\n  action: {type: deny}\n", true),
            ("- event: PreToolUse\n  action: {type: deny}\n", true),
            ("rules:\n  - event: [Stop, PreToolUse]\n    action: deny\n", true),
            ("policy:\n  hooks:\n    - event: eror\n      action:\n        type: deny\n", true),
            ("a: &a {type: deny}\nrules:\n  - when: x\n    action: {reason: r, type: deny}\n", true),
            ("[{\"event\": \"PreToolUse\", \"action\": {\"type\": \"deny\"}}]", true),
            ("{\"a\": {\"b\": [{\"when\": \"x\", \"action\": {\"type\": \"deny\"}}]}}", true),
            ("event: push\naction: opened\n", false),
            ("- event: error\n  action: notify\n", false),
            ("on: {event: Stop}\naction: {name: x}\n", false),
            ("- event: PreToolUse\n- action: {type: deny}\n", false),
            ("- event: PreToolUse\n  actions: x\n", false),
            ("hooks:\n  - name: Stop\n    action: x\n", false),
            ("text: |\n  event: PreToolUse\n  action: {type: deny}\n", false),
            ("type: deny\nwhen: x\naction: {name: y}\n", false),
        ] {
            assert_eq!(has_hook(text), expected, "{text}");
        }
    }
}
