//! Denials about the text of a command line that another line evades, although it starts the same command:
//! `tool_input.command starts_with 'git push'` is false for `cd x && git push` (W0644), and
//! `tool_input.command contains 'rm -rf'` is false for `rm -fr` (W0657).
//!
//! Each claim has a witness: a line for which the leaf is true, and another one that starts the same commands, for which
//! the whole condition is false whatever the rest of the event is.

mod commands;
mod result;
mod sample;
mod variants;

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondKind, Family, Hook, Leaf, Mode, Op, PathKind, Policy, SharedId};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};
use hookc_syntax::expr::print;

use commands::Commands;
use result::Results;
use sample::Sample;
use variants::Variant;

/// The most tests of a condition that are checked.
const LARGEST: usize = 16;

/// What the checks of all hooks share.
pub(super) struct Shared<'h> {
    /// Conditions that were checked.
    seen: HashSet<SharedId>,
    results: Results<'h>,
    /// The hooks that deny or ask.
    denials: Vec<Denial<'h>>,
}

/// A hook that denies or asks, if its condition is true.
#[derive(Clone, Copy)]
struct Denial<'h> {
    hook: &'h Hook,
    cond: &'h Cond,
}

impl<'h> Denial<'h> {
    fn of(hook: &'h Hook) -> Option<Self> {
        let denies = matches!(hook.action.kind.node.as_str(), "deny" | "ask");
        hook.condition.as_ref().filter(|_| denies).map(|cond| Self { hook, cond })
    }

    /// Whether it is at least as strict as another one wherever that decides.
    fn replaces(self, other: Self) -> bool {
        let (own, other) = (self.hook, other.hook);
        let decides = own.enabled.is_none_or(|enabled| enabled.node)
            && own.mode.as_ref().is_none_or(|mode| mode.node == Mode::Enforce);
        let is_as_strict = own.action.kind.node == "deny" || own.action.kind.node == other.action.kind.node;
        let has = |event: &Spanned<String>| own.events.iter().any(|own| own.node == event.node);
        decides && is_as_strict && own.family == other.family && other.events.iter().all(has)
    }
}

impl<'h> Shared<'h> {
    pub(super) fn new(policies: &'h [Policy]) -> Self {
        let denials = policies.iter().flat_map(|policy| &policy.hooks).filter_map(Denial::of).collect();
        Self { seen: HashSet::new(), results: Results::default(), denials }
    }

    /// Whether another denial is certainly true for a line.
    fn is_denied(&mut self, denial: Denial<'h>, line: &str) -> bool {
        let others = self.denials.iter().filter(|other| !std::ptr::eq(other.hook, denial.hook));
        others
            .filter(|other| other.replaces(denial))
            .any(|other| self.results.of(other.cond, line) == Some(true))
    }
}

/// Checks a hook that denies something, or asks.
pub(super) fn check<'h>(
    hook: &'h Hook,
    vocabulary: &Vocabulary,
    shared: &mut Shared<'h>,
    out: &mut Diagnostics,
) {
    let Some(denial) = Denial::of(hook) else { return };
    let id = denial.cond.shared();
    if id.is_some_and(|id| shared.seen.contains(&id)) || !is_about_tools(hook, vocabulary) {
        return;
    }
    shared.seen.extend(id);
    shared.results.start();
    let mut leaves = Vec::new();
    collect(denial.cond, false, &mut leaves);
    out.extend(leaves.into_iter().find_map(|leaf| evaded(leaf, denial, shared)));
}

/// Whether an agent sends one of the hook's events about a tool.
fn is_about_tools(hook: &Hook, vocabulary: &Vocabulary) -> bool {
    let events = hook.events.iter().filter_map(|event| vocabulary.event(hook.family, &event.node));
    let mut of_agents = events.filter(|event| event.family == Family::Agent);
    of_agents.any(|event| event.schema.property("tool_input").is_some())
}

/// The tests of the text of a command line that must be true. The recursion depth is the nesting of the condition.
fn collect<'h>(cond: &'h Cond, negated: bool, leaves: &mut Vec<&'h Leaf>) {
    if leaves.len() >= LARGEST {
        return;
    }
    match &cond.kind {
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().for_each(|part| collect(part, negated, leaves));
        }
        CondKind::Not(part) => collect(part, !negated, leaves),
        CondKind::Leaf(leaf) if !negated && is_about_text(leaf) => leaves.push(leaf),
        // A quantifier is about other values.
        CondKind::Leaf(_) | CondKind::Quantified(_) | CondKind::Const(_) => {}
    }
}

/// Whether it compares the text of a command line with a text.
fn is_about_text(leaf: &Leaf) -> bool {
    let compares = matches!(
        leaf.op.node,
        Op::Eq | Op::In | Op::Contains | Op::StartsWith | Op::EndsWith | Op::Glob | Op::Regex
    );
    let is_text = compares && !matches!(leaf.path.kind, PathKind::View(_)) && leaf.path.is_command_line();
    is_text && leaf.texts().next().is_some()
}

/// The first line that evades a leaf.
fn evaded<'h>(leaf: &'h Leaf, denial: Denial<'h>, shared: &mut Shared<'h>) -> Option<Diagnostic> {
    let (results, cond) = (&mut shared.results, denial.cond);
    let sample = Sample::of(leaf)?;
    let further = variants::further(&sample.line, leaf);
    // Most tests of a part of a text have no variant, and need no pattern.
    let mut commands = if further.is_empty() { Some(Commands::of(&sample.line)?) } else { None };
    let spelled = |commands: &Commands| variants::spelled(&sample.line, commands);
    if commands.as_ref().is_some_and(|commands| spelled(commands).is_empty()) {
        return None;
    }
    let applies = results.of_leaf(leaf, &sample.line) == Some(true);
    if !applies || results.of(cond, &sample.line) == Some(false) {
        return None;
    }
    let mut evades = |variant: &Variant| results.of(cond, &variant.line) == Some(false);
    let further: Vec<Variant> = further.into_iter().filter(&mut evades).collect();
    let commands = match commands.take() {
        Some(commands) => commands,
        None => Commands::of(&sample.line)?,
    };
    let spelled = spelled(&commands).into_iter().filter(evades);
    let others: Vec<Variant> = further.into_iter().chain(spelled).collect();
    let mut passes =
        |variant: &Variant| commands.are_in(&variant.line) && !shared.is_denied(denial, &variant.line);
    let variant = others.into_iter().find(|variant| passes(variant))?;
    Some(report(leaf, &sample, &commands, &variant))
}

fn report(leaf: &Leaf, sample: &Sample, commands: &Commands, variant: &Variant) -> Diagnostic {
    let source = print::path(&leaf.path);
    let each = commands.condition(sample, matches!(leaf.op.node, Op::Eq | Op::In));
    let help = format!("test each command of the line: `some(c in shell({source}).commands: {each})`");
    let span = leaf.path.span.to(leaf.op.span);
    let new = match variant.label {
        Some(label) => {
            let new = Diagnostic::new(Code::W0644, span, "a further command on the line evades this");
            new.with_label(label).note(format!("`{}` starts the same command", variant.line))
        }
        None => {
            let new = Diagnostic::new(Code::W0657, span, format!("`{}` evades this", variant.line));
            new.with_label("one spelling of several")
                .note(format!("it starts the same command as `{}`", sample.line))
        }
    };
    new.help(help)
}
