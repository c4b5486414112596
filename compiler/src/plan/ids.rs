//! Ids of the plan's rows: a letter and a number, the same in the plan's print and, except for
//! conditions, in the module's listing.

use std::fmt;

use hookc_base::row_number;

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident $letter:literal;)*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub u32);

            impl $name {
                /// The id of row `index`.
                pub(crate) fn new(index: usize) -> Self {
                    Self(row_number(index))
                }

                /// The row.
                #[must_use]
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, concat!($letter, "{}"), self.0)
                }
            }
        )*
    };
}

ids! {
    /// A string, `x3`.
    StrId "x";
    /// A constant, `k7`.
    ConstId "k";
    /// A list of constants, `l2`.
    ListId "l";
    /// A regular expression, `r0`.
    PatternId "r";
    /// A node of the path trie, `n4`.
    NodeId "n";
    /// A slot, `s3`.
    SlotId "s";
    /// A JSON Schema, `m4`.
    SchemaId "m";
    /// A query, `q2`.
    QueryId "q";
    /// Nodes that a quantifier binds, or a value below one, `u2`.
    BoundId "u";
    /// A predicate about effects, `e1`.
    EffectId "e";
    /// Where the actions of events come from, `g0`.
    ScopeId "g";
    /// A predicate, `p17`.
    PredId "p";
    /// A read of the history, `h3`.
    RecallId "h";
    /// Values of an event that are used together, `i1`.
    TieId "i";
    /// A condition of the plan, `c5`. Not every one has its own block in the module, whose
    /// conditions have separate numbers.
    CondId "c";
    /// A template node, `t1`.
    TemplateId "t";
    /// A check of a rendered parameter, `h0`.
    CheckId "h";
    /// An action, `a2`.
    ActionId "a";
}
