//! The small languages inside strings: paths, `when` expressions, templates;
//! each with its parser and its printer.

pub mod path;
pub mod print;
pub mod template;
pub mod when;
