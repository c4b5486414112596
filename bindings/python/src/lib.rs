//! The extension module `hookc._hookc`. `python/hookc` adds what is simpler in Python: the
//! exception classes, `asyncio`, and the command line of the replay.
//!
//! ```text
//! event (bytes, str, dict, buffer) ─ event.rs ─▶ bytes ─ engine.rs ─▶ decision.rs
//!                                                           │ host.rs: handlers in Python
//!                                                           ├▶ outcome.rs
//!                                                           ├▶ session.rs
//!                                                           └▶ thread.rs
//! Arrow stream ─ replay/capsule.rs ─▶ batches ─ replay/run.rs ─▶ Arrow stream
//! ```
//!
//! No function here keeps the interpreter attached while it compiles or decides.

mod call;
mod decision;
mod diagnostics;
mod engine;
mod error;
mod event;
mod host;
mod interceptor;
mod json;
mod measure;
mod outcome;
mod policy;
mod replay;
mod session;
mod thread;
mod verdict;

use pyo3::prelude::*;

/// All state is immutable or locked, so the module does not need the GIL.
#[pymodule(gil_used = false)]
mod _hookc {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::decision::{Decision, Hook, Location};
    #[pymodule_export]
    use crate::diagnostics::Diagnostic;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::host::Context;
    #[pymodule_export]
    use crate::interceptor::Interceptor;
    #[pymodule_export]
    use crate::measure::_rust_seconds;
    #[pymodule_export]
    use crate::outcome::{Effect, HookInfo, Outcome};
    #[pymodule_export]
    use crate::policy::{EventType, Policy};
    #[pymodule_export]
    use crate::replay::{ReplayStream, replay_stream};
    #[pymodule_export]
    use crate::session::Session;
    #[pymodule_export]
    use crate::thread::{Reply, Step, Thread};
    #[pymodule_export]
    use crate::verdict::Verdict;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("_NESTED_TOTAL", hookc::runtime::limits::NESTED_TOTAL)?;
        module.add("_NESTED_ACTIONS", hookc::runtime::limits::NESTED_ACTIONS)
    }
}
