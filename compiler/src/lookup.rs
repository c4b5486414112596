//! One singular path on any JSON value (`hookc path`), by the VM's scanner.

use hookc_schema::tree::Step;
use hookc_vm::event::{EventError, Slots, Trie};
use hookc_vm::limits::Limits;
use hookc_vm::module::format::{Edge, NONE, Node, Range, Str};

/// The member that holds a value which is no object, so that it is an event.
const HOLDER: &str = "v";

/// The value at `steps` as canonical JSON; `None` if nothing is there. Any
/// JSON value will do as root. Linear in the text.
///
/// # Errors
/// When the text is not JSON within the VM's limits, or holds a key on the
/// path twice.
pub fn lookup(steps: &[Step], json: &[u8]) -> Result<Option<String>, EventError> {
    if json.trim_ascii_start().starts_with(b"{") && !steps.is_empty() {
        return find(steps, json);
    }
    let mut steps = steps.to_vec();
    steps.insert(0, Step::Name(HOLDER.to_owned()));
    let held = [b"{\"v\":", json, b"}"].concat();
    find(&steps, &held).map_err(|error| shift(error, 5))
}

fn shift(error: EventError, by: usize) -> EventError {
    match error {
        EventError::Syntax(at, what) => EventError::Syntax(at.saturating_sub(by), what),
        EventError::Surrogate(at) => EventError::Surrogate(at.saturating_sub(by)),
        EventError::Exponent(at) => EventError::Exponent(at.saturating_sub(by)),
        EventError::Utf8(at) => EventError::Utf8(at.saturating_sub(by)),
        other => other,
    }
}

fn find(steps: &[Step], json: &[u8]) -> Result<Option<String>, EventError> {
    let chain = Chain::of(steps);
    let trie = Trie {
        nodes: &chain.nodes,
        edges: &chain.edges,
        strings: &chain.strings,
        text: chain.text.as_bytes(),
        derived: &[],
        slots: 1,
    };
    let mut slots = Slots::default();
    slots.fill(json, trie, &Limits::default())?;
    let reads: Vec<_> = (1..=small(steps.len())).map(Into::into).collect();
    slots.check_duplicates(json, trie, &reads, &[0.into()])?;
    let item = slots.get(0, json);
    if matches!(item, hookc_vm::event::Item::Absent) {
        return Ok(None);
    }
    let mut text = String::new();
    item.write_canonical(&mut text);
    Ok(Some(text))
}

/// A trie that is one path.
#[derive(Default)]
struct Chain {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    strings: Vec<Str>,
    text: String,
}

impl Chain {
    fn of(steps: &[Step]) -> Self {
        let mut chain = Self::default();
        for (at, step) in (0..).zip(steps) {
            let edges = Range { start: at.into(), length: 1.into() };
            chain.nodes.push(Node { edges, slot: NONE.into() });
            let (name, index) = match step {
                Step::Name(name) => (chain.string(name), 0),
                Step::Index(index) => (NONE, *index),
            };
            chain.edges.push(Edge { name: name.into(), index: index.into(), node: (at + 1).into() });
        }
        let none = Range { start: small(steps.len()).into(), length: 0.into() };
        chain.nodes.push(Node { edges: none, slot: 0.into() });
        chain
    }

    fn string(&mut self, text: &str) -> u32 {
        let (offset, length) = (small(self.text.len()).into(), small(text.len()).into());
        self.text.push_str(text);
        self.strings.push(Str { offset, length });
        small(self.strings.len() - 1)
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
