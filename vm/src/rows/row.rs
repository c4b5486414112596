//! The rows of all tables.

use zerocopy::little_endian::{F64, I64, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

#[allow(unused_imports, reason = "links of the documentation")]
use super::{MAGIC, NONE, VERSION, tag};
use super::{U8, U24};

/// The meaning of a row kind, for listings and the reference page.
#[derive(Clone, Copy, Debug)]
pub struct RowDoc {
    /// Its name.
    pub name: &'static str,
    /// The lines of its meaning.
    pub meaning: &'static [&'static str],
    /// Its fields in order.
    pub fields: &'static [FieldDoc],
}

/// The meaning of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldDoc {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// The lines of its meaning.
    pub meaning: &'static [&'static str],
}

macro_rules! rows {
    ($($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $field_doc:literal])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
            #[repr(C)]
            pub struct $name { $($(#[doc = $field_doc])* pub $field: $type,)* }
        )*

        /// Every kind of rows.
        pub const ROWS: &[RowDoc] = &[$(RowDoc {
            name: stringify!($name),
            meaning: &[$($doc,)*],
            fields: &[$(FieldDoc {
                name: stringify!($field),
                kind: stringify!($type),
                meaning: &[$($field_doc,)*],
            },)*],
        },)*];
    };
}

rows! {
    /// The start of the file. The hash covers everything after it.
    Header {
        /// [`MAGIC`]
        magic: [u8; 8],
        /// [`VERSION`]
        version: U32,
        /// Feature bits: 1 if the module has rows about the history. A reader rejects unknown ones.
        features: U32,
        /// Bytes of the whole module.
        length: U32,
        /// Rows of the section directory, which follows the header.
        sections: U32,
        /// Slots in all: those of the trie, then the derived ones.
        slots: U32,
        /// Zero.
        reserved: U32,
        /// BLAKE3 of the whole module with this field zero: checksum and
        /// content hash in one.
        hash: [u8; 32],
    }

    /// An entry of the section directory, by ascending kind; offsets are
    /// multiples of 8 from the start of the file.
    Section {
        /// See `SectionKind`.
        kind: U32,
        /// First byte.
        offset: U32,
        /// Bytes.
        length: U32,
    }

    /// A string of the names blob.
    Str {
        /// First byte in the blob.
        offset: U32,
        /// Bytes.
        length: U32,
    }

    /// A range of rows of another table.
    Range {
        /// First row.
        start: U32,
        /// Rows.
        length: U32,
    }

    /// A constant. The table ascends strictly: null, false, true, numbers by
    /// value, strings by bytes, arrays and objects by text.
    Const {
        /// See [`tag`].
        tag: U8,
        /// The string with its value: a number's canonical text, a string, or a container as
        /// canonical compact JSON (keys in RFC 8785 order, numbers canonical). [`NONE`] for tags 0
        /// to 2.
        text: U24,
    }

    /// A node of the path trie. Node 0 is the event's root; every other node is the child of one
    /// edge, or the root of one view.
    Node {
        /// Edges to children: a range of the edge table, names before
        /// indexes, names by bytes, indexes ascending.
        edges: Range,
        /// The slot that captures the value here, or [`NONE`].
        slot: U32,
    }

    /// An edge of the trie; child nodes have higher numbers.
    Edge {
        /// The member's name, a string, or [`NONE`] for an index.
        name: U32,
        /// The element's index, negative from the end; 0 for a name.
        index: I64,
        /// The child.
        node: U32,
    }

    /// The slot of a merged field: the value of `root` if the root member is present (even null),
    /// otherwise that of `nested`. Row `i` defines slot `header.slots - derived.len() + i`; its
    /// operands are trie slots.
    Derived {
        /// Slot of the root member `f` itself.
        guard: U32,
        /// Slot of `f...`.
        root: U32,
        /// Slot of `event.f...`.
        nested: U32,
    }

    /// A text of the event and the root of its view, which is read from there on as a part of the
    /// event. The table ascends strictly by `node`. None of its slots belongs to a view.
    View {
        /// The slot of the text, one of the trie; its node has a lower number than `node`. Of effects, the row that
        /// says where the event's actions come from.
        source: U32,
        /// The slot of the working directory, or [`NONE`].
        cwd: U32,
        /// The slot of the tool's name, or [`NONE`]. Only a command line has one.
        tool: U32,
        /// The slot of the project's directory, or [`NONE`]. Only the path of a file has one.
        project: U32,
        /// The string of a project's directory that the policy states, or [`NONE`]. Only the path of a file has one.
        stated: U32,
        /// The trie node of the view's root.
        node: U32,
        /// What it shows: 0 the text as a command line, 1 the text as the path of a file, 2 effects.
        kind: U32,
    }

    /// A program that the policy declares as a wrapper: it runs the command in its arguments. The
    /// table ascends strictly by the bytes of the names.
    Wrapper {
        /// Its name, a string that is not empty.
        name: U32,
        /// The strings of its options whose value is the next word, ascending: a range of the index
        /// table.
        options: Range,
        /// Its operands before the command.
        operands: U32,
    }

    /// A predicate about what an event does.
    Effect {
        /// Its bytes, with the sets of the policy that it names.
        predicate: Range,
        /// The row that says where the event's actions come from.
        scope: U32,
    }

    /// Where the actions of an event come from. None of its slots belongs to a view.
    Scope {
        /// The slot of the tool's input: a value whose parts are used as a whole.
        input: U32,
        /// The slot of the tool's name, or [`NONE`].
        tool: U32,
        /// The slot of the name that the agent has for the tool, or [`NONE`].
        host_tool: U32,
        /// The slot of the working directory, or [`NONE`].
        cwd: U32,
        /// The slot of the project's directory, or [`NONE`].
        project: U32,
        /// The string of a project's directory that the policy states, or [`NONE`].
        stated: U32,
        /// The bytes of the roles of inputs by tool.
        tools: Range,
    }

    /// Values of an event that are used together: one side of a tie, or what a cell keeps of an event.
    Tie {
        /// The values, at least one: a range of the index table. Each is a slot, or with bit 31 the query in the
        /// other bits, which starts at a slot and can have several nodes.
        values: Range,
        /// Bits by value, from the lowest: a string is compared without regard to case.
        fold: U32,
    }

    /// A monitor of the history. The table ascends strictly by `id`.
    Cell {
        /// The identity: a hash of what it watches and keeps.
        id: [u8; 8],
        /// What it keeps: 0 recent, 1 differing, 2 counter, 3 total, 4 sums, 5 distinct, 6 last.
        kind: u8,
        /// Whose history: 0 the session's, 1 the agent's, 2 the project's, 3 the user's.
        partition: u8,
        /// Above those of the cells that the conditions of its watches read.
        level: u8,
        /// Values of its tie, 0 without one.
        ties: u8,
        /// For 0, 5 and 6 how many entries it keeps, for 1 the number of conjuncts; otherwise 0.
        capacity: U32,
        /// Bits by value of 6, from the lowest: the text of a scalar is kept. Otherwise 0.
        kept: U32,
        /// For 6 the number of values; otherwise 0.
        values: U32,
        /// The cells at which 2 and 3 start again, ascending: a range of the index table. They are of kind 0, without
        /// a tie, and of the same partition. Otherwise empty.
        anchors: Range,
        /// Milliseconds of the longest window that is read, or [`NONE`] if one has no end.
        retention: U32,
    }

    /// An event that a cell watches for, at one event type.
    Watch {
        /// Its condition, which reads no bound node; with bit 31, the predicate in the other bits.
        cond: U32,
        /// The cell.
        cell: U32,
        /// The values by which the event must equal a later one, a row of ties; [`NONE`] if the cell has no tie.
        tie: U32,
        /// What the cell keeps of the event, a row of ties; [`NONE`] for kinds 0, 1 and 2.
        values: U32,
        /// For each conjunct of kind 1, a condition like `cond` or [`NONE`], and a row of ties: a range of the index
        /// table. Otherwise empty.
        excluded: Range,
        /// Bits of the verdicts with which the event is meant: 1 none, 2 allow, 4 ask, 8 deny.
        verdicts: u8,
        /// Zero.
        zero: [u8; 3],
    }

    /// A read of the history. Row `i` is slot `header.slots + bounds.len() + i` of predicates that `recalled` tests,
    /// and of templates, if it has no relation and is not `formerly`.
    Recall {
        /// Which value: 0 formerly, 1 count, 2 sum, 3 distinct, 4 last.
        operator: u8,
        /// How it is compared: 0 not, 1 equal, 2 greater, 3 greater or equal, 4 less, 5 less or equal.
        relation: u8,
        /// What it is compared with: 0 a constant, 1 a slot, 2 a lower recall that is a value; 0 without a relation.
        with: u8,
        /// For 4, which event: 1 the last, 2 the one before. Otherwise 0.
        back: u8,
        /// The cell.
        cell: U32,
        /// The current side of the cell's tie, a row of ties; [`NONE`] if the cell has no tie.
        tie: U32,
        /// For each conjunct of a cell of kind 1 the current side, a row of ties: a range of the index table.
        excluded: Range,
        /// The anchors from which on it looks, at most two lower recalls that are `formerly` without a scope: a range
        /// of the index table.
        since: Range,
        /// Milliseconds of the window, or [`NONE`].
        within: U32,
        /// The constant, slot or recall that it is compared with; [`NONE`] without a relation.
        other: U32,
        /// For 4, which value of the cell; otherwise 0.
        value: U32,
        /// With `including now` the watches of the event type that feed its cell or its anchors, ascending: a range
        /// of the index table. Otherwise empty.
        now: Range,
    }

    /// An event type whose events are recorded. The table ascends strictly by `event`.
    Observed {
        /// The event type.
        event: U32,
        /// Its watches: a range of their table, not empty.
        watches: Range,
        /// The index of its watches by their position, a row of the table of indexes; [`NONE`] if all are evaluated.
        index: U32,
    }

    /// A predicate, a residual instruction, or a row of a filter expression:
    /// see the instruction table.
    Row {
        /// The operation's number.
        op: u8,
        /// First operand, in three bytes; all bits mean 4294967295.
        a: U24,
        /// Second operand.
        b: U32,
    }

    /// A regular expression.
    Pattern {
        /// The pattern, a string.
        text: U32,
    }

    /// A keyword of a schema: see the table of keywords.
    Keyword {
        /// The keyword's number.
        op: u8,
        /// Zero.
        zero: [u8; 3],
        /// First operand.
        a: U32,
        /// Second operand.
        b: U32,
        /// Third operand.
        c: U32,
    }

    /// A query: the nodes that its segments select in sequence from its start (RFC 9535 §2).
    Query {
        /// The slot where it starts; [`NONE`] means the current node.
        slot: U32,
        /// Its segments: a range of their table, empty for the start node itself.
        segments: Range,
    }

    /// Nodes relative to a node that a quantifier binds, or the nodes that a quantifier binds. Row `i`
    /// is slot `header.slots + i` of predicates, if it starts at a bound node and selects at most one.
    Bound {
        /// Its start: the number of quantifiers between it and the one that binds the node, 0 for the
        /// innermost; [`NONE`] means the slot of the query.
        up: U32,
        /// The query; it starts at the current node unless `up` is [`NONE`].
        query: U32,
    }

    /// A segment of a query.
    Segment {
        /// 0 child: selects from the nodes so far; 1 descendant: from these
        /// and everything below them.
        tag: U32,
        /// Its selectors: a range of their table.
        selectors: Range,
    }

    /// A selector: children of a node.
    Selector {
        /// 0 the member named by string `a`; 1 all; 2 the element at index `a`, negative from the
        /// end; 3 a slice; 4 the nodes for which row `a` of the filter table is true.
        tag: u8,
        /// For a slice, bits for the present bounds: 1 start, 2 end. Otherwise 0.
        has: u8,
        /// Zero.
        zero: [u8; 2],
        /// See `tag`; a slice's start, 0 if it has none.
        a: I64,
        /// The end of a slice, 0 if absent; otherwise 0.
        b: I64,
        /// The step of a slice; otherwise 0.
        c: I64,
    }

    /// An event type. The table ascends strictly by (family, name's bytes).
    Event {
        /// 0 thread, 1 agent, 2 repository, 3 skill, 4 workflow.
        family: u8,
        /// 0 first, 1 all.
        strategy: u8,
        /// Zero.
        zero: [u8; 2],
        /// The name, a string.
        name: U32,
        /// Its hooks in rank order: a range of the hook table.
        hooks: Range,
        /// The trie nodes that it reads, ascending: a range of the index table. A duplicate of such
        /// a member is an error.
        reads: Range,
        /// The trie slots whose whole value it uses, ascending: a range of the index table. A
        /// duplicate anywhere inside such a value is an error.
        whole: Range,
        /// The views that its hooks read, ascending: a range of the index table.
        views: Range,
        /// The index of its hooks, a row of the table of indexes; [`NONE`] if all of them are
        /// evaluated.
        index: U32,
    }

    /// An index: the lookup of the hooks that an event may match. It belongs to one event type or
    /// one posting, and has a higher number than the index of that posting.
    Index {
        /// Its probes: a range of their table, ascending by `least`.
        probes: Range,
        /// The group of the hooks that no probe finds, or [`NONE`].
        group: U32,
    }

    /// A lookup by slot: the postings for its value.
    Probe {
        /// 0 the key equal to it, absent being null; 1 the same, case-folded; 2 it is present; 3
        /// the keys that are a prefix of its text, 4 folded; 5 that are a suffix, 6 folded; 7 the
        /// keys that are in its text or in that of an element, 8 folded; 9 those in the JSON of a list
        /// or object; 10 a predicate about effects can be true; 11 the monitors that have seen the key of
        /// the event.
        kind: u8,
        /// For 7 to 9: the distance between the grams (4 consecutive bytes) of the text that are looked
        /// at, 1, 2 or 4. For 11 the partition. Otherwise 0.
        step: u8,
        /// For 7 to 9: each gram of its keys has a byte of at least so much. Otherwise 0.
        low: u8,
        /// And at most so much: where a text has no such byte, its grams are not looked at. Otherwise 0.
        high: u8,
        /// The slot; for 10 the predicate about effects; for 11 the row of ties, or [`NONE`].
        slot: U32,
        /// The lowest rank that it can lead to.
        least: U32,
        /// For kinds 2, 10 and 11 it starts with the number of the posting, for 11 that of all its hooks, and is
        /// empty; for 3 to 9 words: a filter, a power of two of them, with a bit per hash of a key, for 3 to 6
        /// after the set of the keys' lengths, a bit for each from 1 to 64; otherwise empty.
        rows: Range,
    }

    /// A value that a probe, or the exclusion of a dimension, searches for. Keys are in the order
    /// of their buckets, and in each in that of their fields.
    Key {
        /// The probe; for a dimension, its number after all probes.
        owner: U32,
        /// The low half of its hash; for probes 7 to 9 a gram of the string, its first byte lowest.
        hash: U32,
        /// A constant, a scalar; for probes 1 and 3 to 9 a string; for 11 a cell.
        value: U32,
        /// The posting.
        posting: U32,
    }

    /// Ranks, or another index. In a field of type "posting", bit 31 means that the other bits are
    /// the only rank.
    Posting {
        /// Ranks in strictly ascending order, a range of the index table; empty if there is an
        /// index.
        ranks: Range,
        /// The index in which the search continues, or [`NONE`].
        index: U32,
    }

    /// Hooks looked up by sets of bits, a bit per entry: an entry that no
    /// dimension excludes is a candidate.
    Group {
        /// The ranks of the entries, ascending, possibly repeated.
        ranks: Range,
        /// What can exclude entries: a range of the dimensions.
        dims: Range,
    }

    /// A slot that can exclude entries of a group.
    Dim {
        /// 0 by range, 1 by value: the keys that it owns lead to the entries to
        /// exclude.
        kind: u8,
        /// Zero.
        zero: [u8; 3],
        /// The slot.
        slot: U32,
        /// The numbers at which entries start and end, strictly ascending: a range of the points.
        /// Numbers are rounded to binary64 on both sides.
        points: Range,
        /// The entries that come or go, in the order of the points: a range of the
        /// toggles.
        toggles: Range,
        /// Toggles from one recorded set to the next: a power of two.
        step: U32,
        /// The sets: before any toggle, after every `step` toggles, and last the one for values
        /// that are not numbers. A range of the words.
        words: Range,
    }

    /// A number at which entries of a dimension start and end.
    Point {
        /// The number.
        value: F64,
        /// Toggles of the dimension before those of values that reach it.
        reached: U32,
        /// Toggles of the dimension before those of values that pass it.
        passed: U32,
    }

    /// A hook at its event, by rank.
    Hook {
        /// Its condition; with bit 31, the predicate in the other bits.
        cond: U32,
        /// Its action, in three bytes.
        action: U24,
        /// Two bits each, from the lowest: the mode, 0 enforce, 1 warn, 2 shadow; the handling of errors, 0
        /// not set, 1 skip, 2 fail, 3 retry; the failure mode, 0 not set, 1 open, 2 closed; zero.
        modes: u8,
    }

    /// An action.
    Action {
        /// Its kind, a row of the table of kinds.
        kind: U32,
        /// The value of its first parameter, a row of the argument table; those of the others follow.
        arguments: U32,
    }

    /// What actions with the same parameters share.
    Kind {
        /// The kind, a string.
        name: U32,
        /// The parameters, strictly ascending in RFC 8785 key order: a range of the parameter
        /// table. No parameter has the name `type`, which is the key of the kind.
        params: Range,
    }

    /// The value of a parameter of an action.
    Argument {
        /// A template node; with bit 31, the constant in the other bits.
        node: U32,
    }

    /// A parameter of a kind of actions.
    Param {
        /// The name, a string.
        key: U32,
        /// The type check of a rendered value, a row of the check table, or [`NONE`] if nothing is
        /// rendered.
        check: U32,
    }

    /// A template node; children have lower numbers.
    Template {
        /// 0 constant `a`; 1 the value of slot `a`, or constant `b` (or null if [`NONE`]) if that
        /// is absent or null; 2 text of the nodes in range `a..a+b` of the index table, each of tag
        /// 0 (string) or 1; 3 array of such a range; 4 object of such a range, alternating key (a
        /// string) and node, keys strictly ascending in RFC 8785 order; 5 the list of the nodes of
        /// query `a`, or constant `b` (unless [`NONE`]) if there are no nodes.
        tag: U32,
        /// See `tag`.
        a: U32,
        /// See `tag`; 0 for tag 0.
        b: U32,
    }

    /// The type check of a rendered parameter.
    Check {
        /// Bits by type: 1 null, 2 boolean, 4 integer, 8 number, 16 string,
        /// 32 array, 64 object; 0 any.
        types: U32,
        /// Allowed values, a list, or [`NONE`].
        allowed: U32,
        /// Least number, a constant, or [`NONE`].
        minimum: U32,
    }

    /// A hook's name and layer; not in a stripped module.
    Label {
        /// The id or label, in the names blob.
        name: Str,
        /// 0 managed, 1 directive, 2 project, 3 user, 4 builtin.
        layer: U32,
    }

    /// The source location of a hook; absent in a stripped module.
    Location {
        /// The file's name, in the names blob.
        file: Str,
        /// Line from 1.
        line: U32,
        /// Column from 1, in characters.
        column: U32,
    }

    /// What a policy calls the pattern of a monitor that uses a fact; absent in a stripped module. The table ascends
    /// strictly by `cell`.
    CellName {
        /// The monitor.
        cell: U32,
        /// The pattern as its author wrote it, in the names blob.
        text: Str,
    }
}
