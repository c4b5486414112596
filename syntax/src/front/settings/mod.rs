//! Settings of coding agents, `settings.json`, and the hooks files
//! of their plugins.
//!
//! `file.rs` finds the hooks in a file, `group.rs` reads what stands under an
//! event, `handler.rs` a handler and what it does, `extra.rs` the keys that
//! the language adds, `matcher.rs` and `rule.rs` make conditions of matchers
//! and of `if` rules, `agent.rs` is what is known of the agent, `merge.rs`
//! puts several files together.

pub mod agent;
mod extra;
mod file;
mod group;
mod handler;
pub(crate) mod matcher;
pub mod merge;
pub(crate) mod rule;
pub(in crate::front) mod words;

use std::collections::HashSet;
use std::sync::Arc;

use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Hook, Policy};
use hookc_schema::value::{Number, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, SourceId, Span, Spanned, diag};

use super::json;
use crate::limits;

/// Reads a source; `name` is its path as given, with `/`. All problems are
/// told; handlers that make no sense are left out.
pub fn read(name: &str, text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Policy {
    located(name, text, source, out).0
}

/// The same, and where the source has its hooks, if it has any.
pub(crate) fn located(
    name: &str,
    text: &str,
    source: SourceId,
    out: &mut Vec<Diagnostic>,
) -> (Policy, Option<Span>) {
    let (mut policy, mut at) = (Policy::empty(source), None);
    let mut own = Vec::new();
    if let Some(document) = json::read(text, source, &mut own) {
        let mut cx = Cx::new(&mut own);
        (policy.hooks, at) = file::hooks(name, &document.value, &mut cx);
        cx.finish(&document.repeats);
    }
    diag::sort(&mut own);
    out.append(&mut own);
    (policy, at)
}

/// Reads what stands under a `hooks` key in the agent's manner, events to
/// groups of handlers: skills have it too.
pub fn events(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<Hook> {
    let mut cx = Cx { skill: true, ..Cx::new(out) };
    let hooks = file::events(value, &mut cx);
    cx.finish(&[]);
    hooks
}

/// What reading one file needs and remembers.
struct Cx<'o> {
    vocabulary: Arc<Vocabulary>,
    out: &'o mut Vec<Diagnostic>,
    /// Keys whose members are read all, even if they stand there twice.
    kept: HashSet<Span>,
    /// Handlers without a group: the first one's place, and how many.
    flat: Option<(Span, usize)>,
    /// Timeouts that look like milliseconds: the first, and how many.
    long: Option<(Spanned<Number>, usize)>,
    /// How many names may still be compared for suggestions.
    compare: usize,
    /// How many bytes of what groups say may still be copied to handlers.
    copy: usize,
    /// The hooks of a skill: where `once` is read.
    skill: bool,
}

impl<'o> Cx<'o> {
    fn new(out: &'o mut Vec<Diagnostic>) -> Self {
        Self {
            vocabulary: Vocabulary::builtin(),
            out,
            kept: HashSet::new(),
            flat: None,
            long: None,
            compare: limits::SUGGESTIONS,
            copy: limits::GROUP_COPIES,
            skill: false,
        }
    }

    fn report(&mut self, new: Diagnostic) {
        self.out.push(new);
    }

    /// The name that may have been meant.
    fn near<'n>(&mut self, wrong: &str, names: &[&'n str]) -> Option<&'n str> {
        self.compare = self.compare.checked_sub(names.len())?;
        nearest(wrong, names.iter().copied())
    }

    /// Tells what is reported once for a file.
    fn finish(self, repeats: &[json::Repeat]) {
        let Self { out, kept, flat, long, .. } = self;
        out.extend(repeats.iter().map(|repeat| words::repeated(repeat, kept.contains(&repeat.again.span))));
        out.extend(flat.map(|(span, count)| words::flat(span, count)));
        out.extend(long.map(|(first, count)| words::long(&first, count)));
    }
}
