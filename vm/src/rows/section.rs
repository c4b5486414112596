//! The table of sections.

use zerocopy::little_endian::{U32, U64};

use super::row::{
    Action, Argument, Bound, Cell, CellName, Check, Const, Derived, Dim, Edge, Effect, Event, Group, Hook,
    Index, Key, Keyword, Kind, Label, Location, Node, Observed, Param, Pattern, Point, Posting, Probe, Query,
    Range, Recall, Row, Scope, Segment, Selector, Template, Tie, View, Watch, Wrapper,
};

macro_rules! sections {
    ($($number:literal $name:ident $field:ident: $row:ty, $meaning:literal;)*) => {
        /// The kinds of sections, by number. Kinds 64 to 127 are for indexes; 128 and above are
        /// reserved for embedded sources and signatures.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum SectionKind { $(#[doc = $meaning] $name = $number,)* }

        impl SectionKind {
            /// All of them, ascending.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The kind of a number.
            #[must_use]
            pub const fn from_number(number: u32) -> Option<Self> {
                match number { $($number => Some(Self::$name),)* _ => None }
            }

            /// Its name in listings.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($field),)* }
            }

            /// One line of meaning.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }

            /// The kind of its rows: one of [`ROWS`](super::ROWS), or a plain type.
            #[must_use]
            pub const fn row(self) -> &'static str {
                match self { $(Self::$name => stringify!($row),)* }
            }

            /// Bytes of a row.
            #[must_use]
            pub const fn width(self) -> usize {
                match self { $(Self::$name => size_of::<$row>(),)* }
            }
        }
    };
}

/// Hands the table of sections to a macro: `number Name field: RowType,
/// "meaning"`.
#[macro_export]
macro_rules! for_each_section {
    ($consume:ident) => {
        $consume! {
            1 Text text: u8, "bytes of all strings";
            2 Strings strings: U32, "where each string ends in the text; it starts where the one before ends";
            3 Consts consts: Const, "constants";
            4 Indices indices: U32, "numbers that ranges of other tables pick";
            5 Lists lists: Range, "lists of constants, ascending: ranges of the indices";
            6 Nodes nodes: Node, "nodes of the path trie";
            7 Edges edges: Edge, "edges of the path trie";
            8 Derived derived: Derived, "slots of merged fields";
            9 Preds preds: Row, "predicates";
            10 Patterns patterns: Pattern, "regular expressions";
            11 Conds conds: Range, "conditions: blocks of the code";
            12 Code code: Row, "residual code";
            13 Events events: Event, "event types";
            14 Hooks hooks: Hook, "hooks by event and rank";
            15 Actions actions: Action, "actions";
            16 Params params: Param, "parameters of kinds of actions";
            17 Templates templates: Template, "template nodes";
            18 Checks checks: Check, "types of rendered parameters";
            19 Queries queries: Query, "queries";
            20 Segments segments: Segment, "segments of queries";
            21 Selectors selectors: Selector, "selectors of segments";
            22 Values values: Row, "what filters of queries compare";
            23 Filters filters: Row, "filters of queries";
            24 Schemas schemas: Range, "JSON Schemas: blocks of the keywords";
            25 Keywords keywords: Keyword, "keywords of schemas";
            26 Bounds bounds: Bound, "nodes that quantifiers bind, and values below them";
            27 Views views: View, "what is made of the event and read as parts of it";
            28 Wrappers wrappers: Wrapper, "programs that run the command in their arguments";
            29 Kinds kinds: Kind, "kinds of actions with their parameters";
            30 Arguments arguments: Argument, "values of the parameters of actions";
            32 Names names: u8, "bytes of labels, file names and names of patterns; not if stripped";
            33 Labels labels: Label, "a label per hook; not if stripped";
            34 Locations locations: Location, "a source location per hook; not if stripped";
            35 Blob blob: u8, "bytes of predicates about effects, and of the roles of inputs";
            36 Effects effects: Effect, "predicates about effects";
            37 Scopes scopes: Scope, "where the actions of events come from";
            38 Programs programs: Range, "programs that policies describe: ranges of the blob";
            39 Ties ties: Tie, "values of events that are compared or kept together";
            40 Cells cells: Cell, "monitors of the history";
            41 Watches watches: Watch, "what is recorded of events";
            42 Recalls recalls: Recall, "reads of the history";
            43 Observed observed: Observed, "event types that are recorded";
            44 CellNames cell_names: CellName, "names of patterns that use facts; not if stripped";
            64 Indexes indexes: Index, "indexes of hooks";
            65 Probes probes: Probe, "looks at slots";
            66 Buckets buckets: U32, "where the keys of each hash start, plus the end: a power of two, \
plus one";
            67 Keys keys: Key, "what probes and exclusions look for";
            68 Postings postings: Posting, "what probes lead to";
            69 Groups groups: Group, "groups of hooks as bits";
            70 Dims dims: Dim, "dimensions of groups";
            71 Points points: Point, "numbers of dimensions";
            72 Toggles toggles: U32, "entries that come or go at a number";
            73 Words words: U64, "sets of entries, 64 to a word";
        }
    };
}

for_each_section!(sections);

impl SectionKind {
    /// Whether it is about the history, so that the module has the feature bit [`HISTORY`](super::HISTORY).
    #[must_use]
    pub(crate) const fn is_history(self) -> bool {
        matches!(self, Self::Ties | Self::Cells | Self::Watches | Self::Recalls | Self::Observed)
    }
}
