//! Tests of policies: test files, inline examples, coverage.
//!
//! ```text
//! *.test.yaml --read--> Suite --run, over a compiled policy--> cases
//! examples: of a policy ------------examples----------------> cases
//!                                        └──> coverage: hooks and leaves, both outcomes; patterns
//! ```
//!
//! Everything is data: the caller handles files, tables and exit codes. A failing case names the
//! deciding leaf and the value it read.

mod conditions;
mod coverage;
mod examples;
mod exercised;
mod expect;
mod explain;
mod fields;
mod host;
mod keys;
mod observed;
mod patterns;
mod read;
mod result;
mod run;
mod session;
mod suite;
mod verdict;

pub use coverage::{Coverage, HookCoverage, LeafCoverage};
pub use examples::{diagnostics, examples};
pub use exercised::Exercised;
pub use fields::misspelled;
pub use hookc_schema::dialect::moment::Moment;
pub use hookc_schema::dialect::test::{EventErrorKind, Verdict};
pub use keys::error_kind;
pub use patterns::PatternCoverage;
pub use read::read;
pub use result::{CannotRun, Case, CaseKind, Failure, Outcome, Outcomes};
pub use run::run;
pub use suite::{
    EventText, Expect, ExpectedError, ExpectedHook, ExpectedVerdict, PolicyFile, Step, Suite, Test,
};
