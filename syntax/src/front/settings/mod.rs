//! Reads settings of coding agents, `settings.json`, and the hooks files of their plugins.
//!
//! `file.rs` finds the hooks in a file, `group.rs` reads the entries of an event, `handler.rs` a
//! handler and its action, `extra.rs` the keys of the language, `matcher.rs` and `rule.rs` lower
//! matchers and `if` rules to conditions, `known_tools.rs` checks names of tools, `agent.rs` has data about the agent, `merge.rs` merges
//! several files.

pub mod agent;
mod extra;
mod file;
mod group;
mod handler;
pub(in crate::front) mod known_tools;
pub(crate) mod matcher;
pub mod merge;
pub(crate) mod rule;
pub(in crate::front) mod words;

pub use rule::permission_rule;

use std::collections::HashSet;
use std::sync::Arc;

use hookc_schema::agents::Id;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Hook, Policy};
use hookc_schema::value::{Number, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Diagnostics, SourceId, Span, Spanned};

use super::{json, unread};
use crate::limits;

/// Reads a source; `name` is its path as given, with `/`. All problems are reported; invalid
/// handlers are omitted.
pub fn read(name: &str, text: &str, source: SourceId, out: &mut Diagnostics) -> Policy {
    located(name, text, source, out).0
}

/// As [`read`], with the span of the hooks, if the source has any.
pub(crate) fn located(
    name: &str,
    text: &str,
    source: SourceId,
    out: &mut Diagnostics,
) -> (Policy, Option<Span>) {
    let (mut policy, mut at) = (Policy::empty(source), None);
    let mut diagnostics = Diagnostics::new();
    if let Some(document) = json::read(text, source, &mut diagnostics) {
        let mut cx = Cx::new(&mut diagnostics);
        (policy.hooks, at) = file::hooks(name, &document.value, &mut cx);
        cx.finish(&document.repeats);
        if unread::is_of_claude(name) {
            unread::note(Id::Claude.agent(), false, &document, &mut diagnostics);
        }
    }
    diagnostics.sort();
    out.append(&mut diagnostics);
    (policy, at)
}

/// Reads the value of a `hooks` key in the agent's format, events to groups of handlers. Skills
/// have it too.
pub fn events(value: &Value, out: &mut Diagnostics) -> Vec<Hook> {
    let mut cx = Cx { skill: true, ..Cx::new(out) };
    let hooks = file::events(value, &mut cx);
    cx.finish(&[]);
    hooks
}

/// The state of reading one file.
struct Cx<'o> {
    vocabulary: Arc<Vocabulary>,
    out: &'o mut Diagnostics,
    /// Keys whose members are all read, even if the key is repeated.
    kept: HashSet<Span>,
    /// Handlers outside a group: the span of the first one, and their number.
    flat: Option<(Span, usize)>,
    /// Keys that are notes: the first one, and their number.
    comments: Option<(Spanned<String>, usize)>,
    /// Timeouts that look like milliseconds: the first one, and their number.
    long: Option<(Spanned<Number>, usize)>,
    /// The remaining budget of names to compare for suggestions.
    compare: usize,
    /// The remaining budget of bytes to copy from groups to handlers.
    copy: usize,
    /// Whether these are the hooks of a skill, where `once` is read.
    skill: bool,
}

impl<'o> Cx<'o> {
    fn new(out: &'o mut Diagnostics) -> Self {
        Self {
            vocabulary: Vocabulary::builtin(),
            out,
            kept: HashSet::new(),
            flat: None,
            comments: None,
            long: None,
            compare: limits::SUGGESTIONS,
            copy: limits::GROUP_COPIES,
            skill: false,
        }
    }

    fn report(&mut self, new: Diagnostic) {
        self.out.push(new);
    }

    /// Counts a key that is a note.
    fn comment(&mut self, key: &Spanned<String>) {
        self.comments.get_or_insert_with(|| (key.clone(), 0)).1 += 1;
    }

    /// The closest name, as a suggestion.
    fn near<'n>(&mut self, wrong: &str, names: &[&'n str]) -> Option<&'n str> {
        self.compare = self.compare.checked_sub(names.len())?;
        nearest(wrong, names.iter().copied())
    }

    /// Reports what is reported once per file.
    fn finish(self, repeats: &[json::Repeat]) {
        let Self { out, kept, flat, comments, long, .. } = self;
        out.extend(repeats.iter().map(|repeat| words::repeated(repeat, kept.contains(&repeat.again.span))));
        out.extend(flat.map(|(span, count)| words::flat(span, count)));
        out.extend(comments.map(|(first, count)| words::comments(&first, count)));
        out.extend(long.map(|(first, count)| words::long(&first, count)));
    }
}
