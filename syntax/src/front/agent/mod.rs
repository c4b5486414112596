//! Hooks files of coding agents other than Claude Code, read as those agents read
//! them: `.gemini/settings.json`, `.codex/hooks.json`, `.codex/config.toml`, `.cursor/hooks.json`,
//! `.github/hooks/*.json`, `.windsurf/hooks.json`, `.kiro/agents/*.json`.
//!
//! The differences between agents are data (`schema/data/agents`): events, keys, types of handlers,
//! units of time. `file.rs` finds the events, `misplaced.rs` those in a wrong place, `entry.rs` reads the entries of an event,
//! `handler.rs` reads a handler, `matcher.rs` builds its condition. The resulting hooks have the
//! vocabulary's event names. Parts without an equivalent are reported.

mod entry;
mod file;
mod handler;
mod matcher;
mod misplaced;

use std::collections::BTreeSet;

use hookc_schema::agents::{Agent, Form};
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Hook, Policy};
use hookc_schema::value::Number;
use hookc_schema::{Diagnostic, Diagnostics, SourceId, Span, Spanned};

use super::settings::words;
use super::{json, toml, unread};
use crate::limits;

/// Reads the source of an agent. All problems are reported; invalid handlers are omitted.
pub fn read(
    agent: &'static Agent,
    (name, text): (&str, &str),
    source: SourceId,
    out: &mut Diagnostics,
) -> Policy {
    let mut policy = Policy::empty(source);
    let mut diagnostics = Diagnostics::new();
    let is_toml = toml::is_named(name);
    let document = match is_toml {
        // TOML itself rejects repeated keys.
        true => toml::read(text, source, &mut diagnostics).map(json::Document::without_repeats),
        false => json::read(text, source, &mut diagnostics),
    };
    if let (Some(mut document), Some(form)) = (document, &agent.form) {
        document.value = agent.under_hooks(name, document.value);
        let mut cx = Cx {
            agent,
            form,
            is_toml,
            out: &mut diagnostics,
            kept: BTreeSet::new(),
            disabled: BTreeSet::new(),
            never: None,
            ignored: None,
            long: None,
            short: None,
            compare: limits::SUGGESTIONS,
        };
        policy.hooks = file::hooks(&document.value, name, &mut cx);
        cx.finish(&document.repeats);
        unread::note(agent, is_toml, &document, &mut diagnostics);
    }
    diagnostics.sort();
    out.append(&mut diagnostics);
    policy
}

/// The state of reading one file.
struct Cx<'o> {
    agent: &'static Agent,
    form: &'static Form,
    /// Whether the file is TOML.
    is_toml: bool,
    out: &'o mut Diagnostics,
    /// Keys whose members are all read, even if the key is repeated.
    kept: BTreeSet<Span>,
    /// Names of handlers that the file disables.
    disabled: BTreeSet<String>,
    /// The matcher of the current entry, if it never matches.
    never: Option<Span>,
    /// The warning that the agent ignores the matcher of the current entry.
    ignored: Option<Diagnostic>,
    /// Timeouts that look like milliseconds: the first one, and their number.
    long: Option<(Spanned<Number>, usize)>,
    /// Timeouts that look like seconds: the first one, and their number.
    short: Option<(Spanned<Number>, usize)>,
    /// The remaining budget of names to compare for suggestions.
    compare: usize,
}

impl Cx<'_> {
    fn emit(&mut self, new: Diagnostic) {
        self.out.push(new);
    }

    /// The closest name, as a suggestion.
    fn near<'n>(&mut self, wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        let names: Vec<&str> = names.collect();
        self.compare = self.compare.checked_sub(names.len())?;
        nearest(wrong, names)
    }

    /// Emits the diagnostics that a file has at most once.
    fn finish(self, repeats: &[json::Repeat]) {
        let Self { out, kept, long, short, agent, .. } = self;
        out.extend(repeats.iter().map(|repeat| words::repeated(repeat, kept.contains(&repeat.again.span))));
        out.extend(long.map(|(first, count)| words::long(&first, count)));
        out.extend(short.map(|(first, count)| handler::too_short(agent, &first, count)));
    }
}

/// The hooks of a file.
type Hooks = Vec<Hook>;
