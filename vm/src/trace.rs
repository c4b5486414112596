//! Why hooks match or do not: [`Module::trace`](crate::Module::trace) and
//! [`Module::probe`](crate::Module::probe).

pub use crate::eval::{Deciding, Probe, Trace, Traced, Verdict};
