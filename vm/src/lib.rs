//! The hookc virtual machine: loads a compiled module of hooks, verifies it, and decides about
//! events.
//!
//! ```text
//! module bytes ──decode──▶ tables ──verify──▶ Module          once
//!                                               │
//! event bytes ──scan──▶ slots ──conditions──▶ Decision        per event
//!                                               │
//!                            templates ──render──▶ action JSON  per hook that fired
//! ```
//!
//! The crate is independent of the notations of hooks, and of files, threads and clocks. Its only
//! global state is what it knows about the processor, and memory that it uses again. A [`Module`]
//! is immutable and cheap to clone; each thread has its own [`Scratch`].
//!
//! # Example
//! ```
//! use hookc_vm::{DecideOptions, Module, Scratch};
//! # use hookc_vm::format::*;
//! # use hookc_vm::format::op::Op;
//! # let mut image = Image::minimal();
//! # let one = |start: u32| Range { start: start.into(), length: 1.into() };
//! # let row = |op: Op, a: u32, b: u32| Row { op: op as u8, a: a.into(), b: b.into() };
//! # let strings = ["limit.reached", "abort", "name"].map(|text| image.add_string(text).into());
//! # image.preds.push(row(Op::Exists, 0, 0));
//! # image.conds.push(Range { start: 0.into(), length: 3.into() });
//! # image.code = vec![row(Op::UnlessPred, 0, 2), row(Op::Yes, 0, 0), row(Op::No, 0, 0)];
//! # image.templates.push(Template::new(TemplateForm::Slot { slot: 0, default: None }));
//! # image.params.push(Param { key: strings[2], check: NONE.into() });
//! # image.kinds.push(Kind { name: strings[1], params: one(0) });
//! # image.arguments.push(Argument { node: 0.into() });
//! # image.actions.push(Action { kind: 0.into(), arguments: 0.into() });
//! # image.hooks.push(Hook { cond: 0.into(), action: 0.into(), modes: 0 });
//! # let none = Range { start: 0.into(), length: 0.into() };
//! # image.events.push(Event {
//! #     family: 0, strategy: 0, zero: [0; 2], name: strings[0], hooks: one(0), reads: none, whole: none,
//! #     views: none, index: NONE.into(),
//! # });
//! # let compiled = image.encode();
//! let module = Module::load(compiled)?;
//! let mut scratch = Scratch::new();
//! let event = br#"{"event": {"type": "limit.reached"}, "limit_code": "cost"}"#;
//!
//! let decision = module.decide(&mut scratch, event, &DecideOptions::default())?;
//! assert_eq!(decision.event(), "limit.reached");
//! for hook in decision.hooks() {
//!     let mut action = String::new();
//!     hook.render(&mut action)?;
//!     assert_eq!(action, r#"{"type":"abort","name":"limit.reached"}"#);
//! }
//! # assert_eq!(decision.hooks().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! `examples/decide.rs` builds such a module table by table.
//!
//! # What each stage costs, and what it throws away
//! - **Loading** hashes the bytes and reads every row once ([`module`]). The tables are used in
//!   place; nothing is discarded or copied. Regular expressions are compiled when an event first
//!   needs them, once per module.
//! - **Scanning** reads the whole event once ([`mod@event`]), because an event that is not JSON is
//!   an error wherever the mistake is. Values that no hook of the module reads are discarded
//!   immediately. For the others, one slot per path keeps the kind and the position in the text.
//! - **Deciding** finds the event's type and visits its hooks by rank. A condition is loop-free
//!   code over predicates ([`op`]); each condition and each predicate is evaluated at most once per
//!   event, and only if a visited hook needs it. The result is a list of ranks. Once a [`Scratch`]
//!   has grown to its module and events, nothing is allocated except the canonical text of a number
//!   or container that is compared as text. A value is parsed into a tree before it is validated
//!   against a schema ([`schema`]).
//! - **Rendering** reads slots again, one action at a time, on request.
//!
//! # Errors
//! [`Module::load`] and [`Module::decide`] accept any bytes. Both return a typed error with its
//! location, and neither panics, reads out of bounds or runs without a limit. [`LoadError`]: the
//! module is invalid. [`DecideError`]: there is no decision about this event, and the caller's
//! failure mode (open or closed) applies. [`RenderError`]: this action fails, but the decision is
//! valid. A decision without hooks is no opinion, never an implied allow.
//!
//! Every limit is a constant of [`limits`] and can be lowered.

#![warn(clippy::arithmetic_side_effects)]

mod code;
mod compare;
mod eval;
mod event;
mod file;
pub mod format;
mod history;
mod index;
pub mod limits;
mod module;
mod op;
mod query;
mod render;
mod rows;
mod schema;
mod stop;
pub mod text;
pub mod trace;
mod view;

pub use eval::{DecideError, DecideOptions, Decision, MatchedHook, Scratch, UnknownHook};
pub use event::EventError;
pub use history::{Histories, Unknown};
use hookc_base::number;
pub use hookc_base::{Family, Layer, Mode, OnError, OnFailure, PartitionTag, Strategy};
pub use limits::Limits;
pub use module::{EventType, LoadError, Module};
pub use render::RenderError;
