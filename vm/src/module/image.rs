//! The tables of a module as vectors: what code generation fills.

use zerocopy::little_endian::{U32, U64};

use crate::rows::{
    Action, Argument, Bound, Cell, CellName, Check, Const, Derived, Dim, Edge, Effect, Event, Group, Hook,
    Index, Key, Keyword, Kind, Label, Location, NONE, Node, Observed, Param, Pattern, Point, Posting, Probe,
    Query, Range, Recall, Row, Scope, Segment, Selector, Template, Tie, View, Watch, Wrapper, string,
};

macro_rules! image {
    ($($number:literal $name:ident $field:ident: $row:ty, $meaning:literal;)*) => {
        /// A module before encoding. Nothing is checked until it is encoded, decoded and verified.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Image {
            /// Slots in all; see the header.
            pub slots: u32,
            $(#[doc = $meaning] pub $field: Vec<$row>,)*
        }
    };
}

crate::for_each_section!(image);

impl Image {
    /// The smallest valid module: only the three type paths.
    #[must_use]
    pub fn minimal() -> Self {
        let mut image = Self { slots: 3, ..Self::default() };
        let [event, by_name, by_type, kind] =
            ["event", "hook_event_name", "event_type", "type"].map(|name| image.add_string(name));
        let edge = |name: u32, node: u32| Edge { name: name.into(), index: 0.into(), node: node.into() };
        image.edges = vec![edge(event, 1), edge(by_type, 2), edge(by_name, 3), edge(kind, 4)];
        let node = |start: u32, length: u32, slot: u32| Node {
            edges: Range { start: start.into(), length: length.into() },
            slot: slot.into(),
        };
        image.nodes = vec![node(0, 3, NONE), node(3, 1, NONE), node(4, 0, 2), node(4, 0, 1), node(4, 0, 0)];
        image
    }

    /// Appends a string without deduplication and returns its index.
    pub fn add_string(&mut self, text: &str) -> u32 {
        self.text.extend_from_slice(text.as_bytes());
        self.strings.push(saturating_u32(self.text.len()).into());
        saturating_u32(self.strings.len().saturating_sub(1))
    }
}

impl Image {
    /// The bytes of a string; `None` of an unknown one.
    #[must_use]
    pub fn string(&self, index: u32) -> Option<&[u8]> {
        self.strings.get(index as usize).map(|_| string(&self.strings, &self.text, index))
    }
}

/// A number as a field states it. The greatest one represents all beyond 32 bits: nothing is checked
/// before a module is loaded, and no module of so many bytes loads, whatever its fields state.
pub(super) fn saturating_u32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
