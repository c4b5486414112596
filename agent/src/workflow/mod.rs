//! Workflows: steps of an agent with hooks at four points, which call artifacts at the agent's
//! expense.
//!
//! ```text
//! file ─▶ run (steps) ─▶ calls ─▶ ledger     takes the price
//!              │           └────▶ artifact   command, URL or workflow
//!              └──────▶ effects             what has happened, on disk
//! ```

mod amount;
mod artifact;
mod calls;
mod effects;
mod file;
mod ledger;
mod run;

pub(crate) use calls::Market;
pub(crate) use effects::Effects;
pub(crate) use file::WorkflowFile;
pub(crate) use ledger::Ledger;
pub(crate) use run::Run;
