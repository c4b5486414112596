//! The sections of a module as slices, used in place.

use std::fmt;

use hookc_shell as shell;
use hookc_shell::programs::{Described, Programs};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::LoadError;
use crate::event::{Item, Trie};
use crate::rows::{
    Action, Argument, Bound, Cell, CellName, Check, Const, Derived, Dim, Edge, Effect, Event, Group, Hook,
    HookTest, Index, Key, Keyword, Kind, Label, Location, Node, Observed, Param, ParamValue, Pattern, Point,
    Posting, Probe, Query, Range, Recall, Row, Scope, Segment, Selector, Str, Template, TemplateForm, Tie,
    View, Watch, Wrapper, string, tag,
};
use crate::rows::{NONE, SectionKind};

macro_rules! tables {
    ($($number:literal $name:ident $field:ident: $row:ty, $meaning:literal;)*) => {
        /// The range of each section in bytes.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Layout {
            slots: u32,
            $($field: (usize, usize),)*
        }

        impl Layout {
            pub(super) fn new(slots: u32) -> Self {
                Self { slots, ..Self::default() }
            }

            /// A section from its first byte to the one past the last.
            pub(super) fn set(&mut self, kind: SectionKind, (start, end): (usize, usize)) {
                match kind { $(SectionKind::$name => self.$field = (start, end),)* }
            }
        }

        /// The tables of a module, each as a slice of rows. All indexes in them
        /// are in range.
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        pub struct Tables<'m> {
            /// Slots in all; see the header.
            pub slots: u32,
            $(#[doc = $meaning] pub $field: &'m [$row],)*
        }

        impl<'m> Tables<'m> {
            pub(super) fn new(bytes: &'m [u8], layout: &Layout) -> Self {
                Self { slots: layout.slots, $($field: view(bytes, layout.$field),)* }
            }

            /// Rows of a table.
            #[must_use]
            pub fn rows(&self, kind: SectionKind) -> usize {
                match kind { $(SectionKind::$name => self.$field.len(),)* }
            }
        }
    };
}

crate::for_each_section!(tables);

/// The rows of a section.
fn view<T: FromBytes + Immutable + KnownLayout + Unaligned>(
    bytes: &[u8],
    (start, end): (usize, usize),
) -> &[T] {
    bytes.get(start..end).and_then(|section| <[T]>::ref_from_bytes(section).ok()).unwrap_or_default()
}

/// The rows of a range; none where it is out of range.
fn rows<T>(table: &[T], range: Range) -> &[T] {
    let start = range.start.get() as usize;
    let end = start.saturating_add(range.length.get() as usize);
    table.get(start..end).unwrap_or_default()
}

/// A row; `None` only where verification has not been.
pub(crate) fn row<T: Copy>(table: &[T], index: u32) -> Option<T> {
    table.get(index as usize).copied()
}

impl<'m> Tables<'m> {
    /// The directory of the project that the policy of a view states.
    pub(crate) fn stated(&self, view: &View) -> Option<&'m str> {
        Some(view.stated.get()).filter(|path| *path != NONE).map(|path| self.str(path))
    }

    /// The tests and predicates about effects of a template about what made the condition true.
    pub fn reasons_of(&self, node: &Template) -> impl Iterator<Item = (HookTest, u32)> + use<'m> {
        let indices: &'m [U32] = match node.form() {
            Some(TemplateForm::Because(range)) => self.indices_of(range),
            _ => &[],
        };
        let pair = |pair: &[U32]| match pair {
            [test, effect] => Some((HookTest::from_number(test.get()), effect.get())),
            _ => None,
        };
        indices.chunks_exact(2).filter_map(pair)
    }

    /// The bytes of a range of the blob.
    #[must_use]
    pub fn blob_of(&self, range: Range) -> &'m [u8] {
        rows(self.blob, range)
    }

    /// The programs that policies describe, and those that they declare as wrappers.
    ///
    /// # Errors
    /// If the bytes of a program are not its table.
    pub(crate) fn shell_programs(&self) -> Result<Programs, LoadError> {
        let invalid = |row| LoadError::Row {
            section: SectionKind::Programs,
            row,
            what: "the bytes are not the table of a program",
        };
        let described = self
            .programs
            .iter()
            .enumerate()
            .map(|(row, range)| Described::decode(self.blob_of(*range)).map_err(|_| invalid(row)));
        let described = described.collect::<Result<Vec<_>, _>>()?;
        Programs::new(self.shell_wrappers(), described).map_err(|_| invalid(0))
    }

    fn shell_wrappers(&self) -> Vec<shell::Wrapper> {
        let text = |string: &U32| self.str(string.get()).to_owned();
        let wrapper = |row: &Wrapper| {
            let options = self.indices_of(row.options).iter().map(text);
            let wrapper = shell::Wrapper::new(text(&row.name)).with_options(options);
            wrapper.with_operands(row.operands.get() as usize)
        };
        self.wrappers.iter().map(wrapper).collect()
    }

    /// The bytes of a string.
    pub(crate) fn bytes(&self, index: u32) -> &'m [u8] {
        string(self.strings, self.text, index)
    }

    /// A string; empty where the index is out of range.
    #[must_use]
    pub fn str(&self, index: u32) -> &'m str {
        std::str::from_utf8(self.bytes(index)).unwrap_or_default()
    }

    /// A string of the names blob (labels, files).
    #[must_use]
    pub fn name(&self, place: Str) -> &'m str {
        std::str::from_utf8(within(self.names, place)).unwrap_or_default()
    }

    /// What the policy calls the pattern of a monitor, if that uses a fact.
    #[must_use]
    pub fn cell_name(&self, cell: u32) -> Option<&'m str> {
        let at = self.cell_names.binary_search_by_key(&cell, |name| name.cell.get()).ok()?;
        self.cell_names.get(at).map(|name| self.name(name.text))
    }

    /// A constant; absent where the index is out of range. Containers are
    /// canonical text.
    #[must_use]
    pub fn constant(&self, index: u32) -> Item<'m> {
        let Some(constant) = row(self.consts, index) else { return Item::Absent };
        let text = || self.str(constant.text.get());
        match constant.tag.get() {
            tag::NULL => Item::Null,
            tag::FALSE => Item::Bool(false),
            tag::TRUE => Item::Bool(true),
            tag::NUMBER => Item::Num(text()),
            tag::STRING => Item::Str(text()),
            tag::ARRAY => Item::Array(text()),
            tag::OBJECT => Item::Object(text()),
            _ => Item::Absent,
        }
    }

    /// A range of the index table.
    #[must_use]
    pub fn indices_of(&self, range: Range) -> &'m [U32] {
        rows(self.indices, range)
    }

    /// The constants of a list, by index.
    #[must_use]
    pub fn list(&self, index: u32) -> &'m [U32] {
        row(self.lists, index).map_or(&[], |range| self.indices_of(range))
    }

    /// The code of a condition.
    #[must_use]
    pub fn block(&self, cond: u32) -> &'m [Row] {
        self.code_of(cond).unwrap_or_default()
    }

    /// The code of a condition; `None` for an unknown one.
    pub(crate) fn code_of(&self, cond: u32) -> Option<&'m [Row]> {
        row(self.conds, cond).map(|range| rows(self.code, range))
    }

    /// The keywords of a schema.
    #[must_use]
    pub fn keywords_of(&self, schema: u32) -> &'m [Keyword] {
        row(self.schemas, schema).map_or(&[], |range| rows(self.keywords, range))
    }

    /// The hooks of an event type, in rank order.
    #[must_use]
    pub fn hooks_of(&self, event: &Event) -> &'m [Hook] {
        rows(self.hooks, event.hooks)
    }

    /// What is recorded of an event type, by the row of the type.
    #[must_use]
    pub fn observed_of(&self, event: u32) -> Option<&'m Observed> {
        let place = self.observed.binary_search_by_key(&event, |row| row.event.get()).ok()?;
        self.observed.get(place)
    }

    /// The watches of a range.
    #[must_use]
    pub fn watches_of(&self, range: Range) -> &'m [Watch] {
        rows(self.watches, range)
    }

    /// The name of an action's kind.
    #[must_use]
    pub fn kind_of(&self, action: &Action) -> &'m str {
        row(self.kinds, action.kind.get()).map_or("", |kind| self.str(kind.name.get()))
    }

    /// The parameters of a kind of actions.
    #[must_use]
    pub(crate) fn params_of_kind(&self, kind: &Kind) -> &'m [Param] {
        rows(self.params, kind.params)
    }

    /// The parameters of an action with their values.
    pub fn params_of(
        &self,
        action: &Action,
    ) -> impl ExactSizeIterator<Item = (&'m Param, ParamValue)> + use<'m> {
        let params =
            row(self.kinds, action.kind.get()).map_or(&[] as &[_], |kind| self.params_of_kind(&kind));
        let arguments = self.arguments.get(action.arguments.get() as usize..).unwrap_or_default();
        params.iter().zip(arguments).map(|(param, argument)| (param, argument.value()))
    }

    /// The edges of a trie node.
    #[must_use]
    pub fn edges_of(&self, node: &Node) -> &'m [Edge] {
        rows(self.edges, node.edges)
    }

    /// The segments of a query.
    #[must_use]
    pub fn segments_of(&self, query: &Query) -> &'m [Segment] {
        rows(self.segments, query.segments)
    }

    /// The selectors of a segment.
    #[must_use]
    pub fn selectors_of(&self, segment: &Segment) -> &'m [Selector] {
        rows(self.selectors, segment.selectors)
    }

    /// The probes of an index, with their numbers.
    pub(crate) fn probes_of(&self, index: &Index) -> impl Iterator<Item = (u32, &'m Probe)> + use<'m> {
        (index.probes.start.get()..).zip(rows(self.probes, index.probes))
    }

    /// The words of a probe for parts of texts: its filter, after the set of lengths if it has one.
    #[must_use]
    pub(crate) fn filter_of(&self, probe: &Probe) -> &'m [U64] {
        rows(self.words, probe.rows)
    }

    /// The dimensions of a group, with their numbers.
    pub(crate) fn dims_of(&self, group: &Group) -> impl Iterator<Item = (u32, &'m Dim)> + use<'m> {
        (group.dims.start.get()..).zip(rows(self.dims, group.dims))
    }

    /// The points of a dimension.
    #[must_use]
    pub fn points_of(&self, dim: &Dim) -> &'m [Point] {
        rows(self.points, dim.points)
    }

    /// The toggles of a dimension.
    #[must_use]
    pub(crate) fn toggles_of(&self, dim: &Dim) -> &'m [U32] {
        rows(self.toggles, dim.toggles)
    }

    /// The sets of a dimension.
    #[must_use]
    pub fn words_of(&self, dim: &Dim) -> &'m [U64] {
        rows(self.words, dim.words)
    }

    /// The trie in the form that the scanner needs.
    #[must_use]
    pub fn trie(&self) -> Trie<'m> {
        Trie {
            nodes: self.nodes,
            edges: self.edges,
            strings: self.strings,
            text: self.text,
            derived: self.derived,
            slots: self.slots,
        }
    }
}

impl fmt::Debug for Tables<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Tables");
        out.field("slots", &self.slots);
        for kind in SectionKind::ALL {
            out.field(kind.name(), &self.rows(*kind));
        }
        out.finish()
    }
}

fn within(text: &[u8], place: Str) -> &[u8] {
    let start = place.offset.get() as usize;
    let end = start.saturating_add(place.length.get() as usize);
    text.get(start..end).unwrap_or_default()
}
