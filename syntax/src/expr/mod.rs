//! The small languages inside strings: paths, `when` expressions, templates,
//! JSON literals; each with its parser and its printer.
//!
//! All parsers read through one cursor over the decoded string, which maps
//! every place back to the source, and share the readers of quoted strings,
//! numbers and JSON values. A parser takes the whole of a string, tells what
//! is wrong with it, and then answers `None`.

pub mod json;
mod literal;
pub mod path;
pub mod print;
mod raw;
mod reader;
pub mod template;
pub mod when;
