//! The small languages inside strings: paths, `when` expressions, templates,
//! JSON literals; each with its parser and its printer.
//!
//! All parsers use one cursor over the decoded string, which maps every position back to the
//! source, and share the readers of quoted strings, numbers and JSON values. A parser consumes the
//! whole string, reports errors, and then returns `None`.

pub(crate) mod history;
pub mod json;
mod literal;
pub mod path;
pub mod print;
mod raw;
mod reader;
pub mod template;
pub mod when;
