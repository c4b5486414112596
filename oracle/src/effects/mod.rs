//! What an event does, and predicates about it: `effects` of the language a second time, in the plainest way. It
//! shares the reader of command lines and the rows of programs with the product, as data, and nothing else.

mod arguments;
mod command;
mod commands;
mod conditions;
mod flow;
mod gather;
mod glob;
mod guard;
mod inputs;
mod line;
mod list;
mod model;
mod only;
mod opened;
mod patch;
mod pattern;
mod place;
mod plain;
mod refs;
mod roles;
mod rows;
mod shown;
mod status;
mod streams;
mod table;
mod text;
mod transfers;
mod variables;
mod verb;
mod view;

pub use gather::{Knowledge, LineOf, Project, ToolEvent, ToolRow, gather};
pub use guard::{Guard, Predicate, Verb};
pub use line::{Command, Line, Redirect, RedirectKind, Word};
pub use list::{SetSource, Sets};
pub use model::{Act, Deeds, Effect, Flag, Kind, Operand, Scheme};
pub use place::Anchors;
pub use rows::{If, Options, Row, Slot, programs, sets};
pub use table::Rows;
pub use text::{Hole, Source, Symbol, Text};
pub use view::view;
