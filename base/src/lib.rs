//! What the compiler and the virtual machine of hookc share: the closed enums of the language, its
//! actions, exact numbers, canonical JSON, the names of event types, interpreters and builtins of shells, and
//! the closest of several names. This
//! crate depends on no other crate of hookc.

#![forbid(unsafe_code)]

pub mod action;
pub mod builtins;
pub mod decision;
pub mod event_names;
pub mod input_role;
pub mod json;
mod kinds;
pub mod number;
pub mod quoting;
mod row;
pub mod suggest;
mod tags;
pub mod terminal;
pub mod text;
mod verb;

pub use kinds::{Family, Layer, Mode, OnError, OnFailure, Strategy};
pub use row::row_number;
pub use tags::{
    ConstTag, DimTag, MonitorTag, OtherTag, PartitionTag, ProbeTag, RecallTag, RelationTag, SegmentTag,
    SelectorTag, TemplateTag, ViewKind,
};
pub use verb::Verb;
