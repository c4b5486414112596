//! What an event does, and predicates about it: `effects` of the language a second time, in the plainest way. It
//! shares the reader of command lines and the rows of programs with the product, as data, and nothing else.

mod arguments;
mod command;
mod commands;
mod flow;
mod gather;
mod glob;
mod guard;
mod line;
mod list;
mod model;
mod only;
mod place;
mod roles;
mod rows;
mod shown;
mod streams;
mod text;
mod verb;

pub use gather::{Knowledge, LineOf, Project, ToolEvent, ToolRow, gather};
pub use guard::{Guard, Predicate, Verb};
pub use line::{Command, Line, Redirect, RedirectKind, Word};
pub use list::{SetSource, Sets};
pub use model::{Act, Deeds, Effect, Flag, Kind, Operand, Scheme};
pub use place::Anchors;
pub use rows::{If, Options, Row, Rows, Slot, programs, sets};
pub use text::{Hole, Symbol, Text};
