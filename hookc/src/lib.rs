//! Hook policies for programs that run AI agents: a policy in YAML, one event as
//! JSON, and the actions of the hooks that match.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let event_bytes = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"}}"#;
//! // cargo add hookc
//! let policy = hookc::Policy::from_yaml(r#"
//! hooks:
//!   - event: PreToolUse
//!     when: may_push()
//!     action: {type: ask, reason: "Push ${tool_input.command}?"}
//! "#)?;                                            // Err: Diagnostics, Display as the CLI prints them
//! let engine = hookc::Engine::new(policy);         // cheap to clone, Send + Sync, reloadable
//! let decision = engine.decide(event_bytes)?;      // &[u8], &str or &serde_json::Value
//! for hook in decision.hooks() {
//!     println!("{} -> {:?}", hook.id(), hook.action()?);   // typed Action; also .to_value(), serde
//! }
//! # assert_eq!(decision.hooks().len(), 1);
//! # assert_eq!(decision.hooks()[0].to_value()?["reason"], "Push git push?");
//! # Ok(())
//! # }
//! ```
//!
//! A decision without hooks is *no opinion*, not permission: the program does what
//! it does without a policy. An event that cannot be decided about is a
//! [`DecideError`]; the program chooses whether it then fails open or closed.
//!
//! # From source text, from files, from a module
//! [`Policy::from_yaml`], [`Policy::from_source`], [`Policy::from_file`] and
//! [`Policy::builder`] compile. A program that only decides loads a module instead,
//! which `hookc compile` writes, and leaves the compiler out
//! (`default-features = false`):
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let policy = hookc::Policy::from_module(include_bytes!("../examples/policy.hookc"))?;
//! # assert_eq!(policy.module().events().len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! No policy contains hooks that it does not name: the hooks that hookc ships are
//! linked only where [`PolicyBuilder::shipped_hooks`] asks for them.
//!
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `compiler` | yes | policies from source text and files, [`Diagnostics`] |
//! | `runtime` | no | `hookc::runtime`: handler processes, the hook of a coding agent, a decision log |
//! | `serde` | no | `Serialize` for decisions and diagnostics, `MatchedHook::deserialize` |
//!
//! Without `runtime`, this crate starts no process or thread and reads no
//! environment variable. Files are read only by [`Policy::from_file`],
//! [`Policy::from_files`] and [`Source::read`].

#![forbid(unsafe_code)]

mod decision;
#[cfg(feature = "compiler")]
mod diagnostics;
mod engine;
mod error;
mod event;
mod interceptor;
mod policy;
#[cfg(feature = "serde")]
mod serialize;
mod session;
mod sessions;
#[cfg(feature = "compiler")]
mod source;

pub use decision::{Decision, Location, MatchedHook};
#[cfg(feature = "compiler")]
pub use diagnostics::Diagnostics;
pub use engine::Engine;
pub use error::ActionError;
#[cfg(feature = "compiler")]
pub use error::PolicyError;
pub use event::Event;
pub use hookc_base::action::{self, Action};
pub use hookc_base::text::with_causes;
pub use hookc_base::{Family, Layer, Mode, OnError, OnFailure, Strategy};
#[cfg(feature = "compiler")]
pub use hookc_compiler::{Builtin, Dialect};
pub use hookc_history::Verdict;
#[cfg(feature = "runtime")]
pub use hookc_runtime as runtime;
#[cfg(feature = "compiler")]
pub use hookc_schema::{Code, Diagnostic, Severity, Sources, Span};
/// The version of the format of modules; a module of another version is rejected.
pub use hookc_vm::format::VERSION as MODULE_VERSION;
pub use hookc_vm::{
    DecideError, DecideOptions, EventError, EventType, Limits, LoadError, Module, RenderError, Scratch,
};
pub use interceptor::Interceptor;
pub use policy::Policy;
#[cfg(feature = "compiler")]
pub use policy::PolicyBuilder;
pub use session::{Session, SnapshotError};
#[cfg(feature = "compiler")]
pub use source::Source;
