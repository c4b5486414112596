//! Denials about the text of a command line that another line evades, although it starts the same command:
//! `tool_input.command starts_with 'git push'` is false for `cd x && git push` (W0644), and
//! `tool_input.command contains 'rm -rf'` is false for `rm -fr` (W0657).
//!
//! Each claim has a witness: a line for which the leaf is true, and another one that starts the same commands, for which
//! the leaf is false, and the whole condition whatever the rest of the event is. If the condition has other such tests
//! beside the leaf, joined with `and`, they are true for the first line too.

mod commands;
mod result;
mod sample;
mod variants;

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondKind, Family, Hook, Leaf, Mode, Op, PathKind, Policy, SharedId};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};
use hookc_syntax::expr::print;

use commands::Commands;
use result::Results;
use sample::Sample;
use variants::Variant;

/// The most tests of a condition that are checked.
const LARGEST: usize = 16;

/// The most texts of one line.
const TEXTS: usize = 4;

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

/// Checks a hook that denies something, or asks. `texts` receives the texts of the tests that are reported.
pub(super) fn check<'h>(
    hook: &'h Hook,
    vocabulary: &Vocabulary,
    shared: &mut Shared<'h>,
    texts: &mut HashSet<Span>,
    out: &mut Diagnostics,
) {
    let Some(denial) = Denial::of(hook) else { return };
    let id = denial.cond.shared();
    if id.is_some_and(|id| shared.seen.contains(&id)) || !is_about_tools(hook, vocabulary) {
        return;
    }
    shared.seen.extend(id);
    shared.results.start();
    let mut tests = Vec::new();
    let _ = collect(denial.cond, false, &mut tests);
    let is_largest = tests.len() >= LARGEST;
    let mut lines = HashSet::new();
    let mut new = Vec::new();
    for test in &tests {
        let Some(found) = evaded(test, denial, shared) else { continue };
        texts.extend(test.leaf.texts().map(|(value, _)| value.span));
        // One line evades several tests, and the first of them shows it.
        if lines.insert(found.variant.line.clone()) {
            new.push(report(test.leaf, &found));
        }
    }
    if let Some(last) = new.pop() {
        let note = format!("only the first {LARGEST} tests of command lines in this condition were checked");
        new.push(if is_largest { last.note(note) } else { last });
    }
    out.extend(new);
}

/// Whether an agent sends one of the hook's events about a tool.
fn is_about_tools(hook: &Hook, vocabulary: &Vocabulary) -> bool {
    let events = hook.events.iter().filter_map(|event| vocabulary.event(hook.family, &event.node));
    let mut of_agents = events.filter(|event| event.family == Family::Agent);
    of_agents.any(|event| event.schema.property("tool_input").is_some())
}

/// A test of the text of a command line that must be true.
struct Test<'h> {
    leaf: &'h Leaf,
    /// Tests that must be true with it.
    with: Vec<&'h Leaf>,
}

/// Appends the tests of a condition. Returns some of them of which all are true if it is. The recursion depth is the
/// nesting of the condition.
fn collect<'h>(cond: &'h Cond, negated: bool, tests: &mut Vec<Test<'h>>) -> Vec<&'h Leaf> {
    if tests.len() >= LARGEST {
        return Vec::new();
    }
    match &cond.kind {
        CondKind::All(parts) if !negated => of_all(parts, negated, tests),
        CondKind::Any(parts) if negated => of_all(parts, negated, tests),
        CondKind::All(parts) | CondKind::Any(parts) => {
            let mut alternatives = parts.iter().map(|part| collect(part, negated, tests));
            let first = alternatives.next().unwrap_or_default();
            alternatives.fold(first, |first, other| if first.is_empty() { other } else { first })
        }
        CondKind::Not(part) => collect(part, !negated, tests),
        CondKind::Leaf(leaf) if !negated && is_about_text(leaf) => {
            tests.push(Test { leaf, with: Vec::new() });
            vec![leaf]
        }
        // A quantifier is about other values.
        CondKind::Leaf(_) | CondKind::Quantified(_) | CondKind::Const(_) | CondKind::Predicate(_) => {
            Vec::new()
        }
    }
}

/// The same of parts that must all be true.
fn of_all<'h>(parts: &'h [Cond], negated: bool, tests: &mut Vec<Test<'h>>) -> Vec<&'h Leaf> {
    let first = tests.len();
    // The tests of each part end here, and these of them are true together.
    let mut ends: Vec<(usize, Vec<&'h Leaf>)> = Vec::new();
    for part in parts {
        let own = collect(part, negated, tests);
        if !own.is_empty() {
            ends.push((tests.len(), own));
        }
    }
    for (at, test) in tests.iter_mut().enumerate().skip(first) {
        let own = ends.iter().position(|(end, _)| at < *end);
        let others = ends.iter().enumerate().filter(|(part, _)| Some(*part) != own);
        test.with.extend(others.flat_map(|(_, (_, leaves))| leaves.iter().copied()).take(TEXTS));
        test.with.truncate(TEXTS);
    }
    ends.into_iter().flat_map(|(_, leaves)| leaves).take(TEXTS).collect()
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

/// A line that evades a test.
struct Evasion {
    sample: Sample,
    commands: Commands,
    variant: Variant,
}

/// The first line that evades a test.
fn evaded<'h>(test: &Test<'h>, denial: Denial<'h>, shared: &mut Shared<'h>) -> Option<Evasion> {
    let alone = Sample::of(test.leaf).and_then(|sample| evasion(test.leaf, sample, denial, shared));
    alone.or_else(|| {
        let mut all: Vec<&Leaf> = test.with.clone();
        all.push(test.leaf);
        let sample = Sample::of_all(&all).filter(|_| !test.with.is_empty())?;
        evasion(test.leaf, sample, denial, shared)
    })
}

/// The first other line that starts the commands of a sample and evades a leaf.
fn evasion<'h>(
    leaf: &'h Leaf,
    sample: Sample,
    denial: Denial<'h>,
    shared: &mut Shared<'h>,
) -> Option<Evasion> {
    let (results, cond) = (&mut shared.results, denial.cond);
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
    let mut evades = |variant: &Variant| {
        results.of_leaf(leaf, &variant.line) == Some(false) && results.of(cond, &variant.line) == Some(false)
    };
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
    Some(Evasion { sample, commands, variant })
}

fn report(leaf: &Leaf, evasion: &Evasion) -> Diagnostic {
    let Evasion { sample, commands, variant } = evasion;
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
