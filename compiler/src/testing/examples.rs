//! Inline `examples:` of hooks: each hook's condition against its own examples, including disabled
//! and replaced hooks.

use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use hookc_history::Verdict;
use hookc_schema::decode::short;
use hookc_schema::dialect::moment::Moment;
use hookc_schema::tree::{Example, Hook, Layer, Policy};
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};
use hookc_syntax::expr::print;
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};

use super::conditions::{Conditions, Draft};
use super::coverage::Coverage;
use super::exercised::Exercised;
use super::fields::Fields;
use super::observed;
use super::result::{CannotRun, Case, CaseKind, Failure, Outcome};
use super::session::{Clock, Sessions, recorded};
use crate::Compiled;
use crate::check;
use crate::disasm::PatternTexts;
use crate::disasm::describe::{self, Names};
use crate::event_types::EventTypes;
use crate::ir::{CheckedEvent, CheckedHook};
use crate::link::Linked;

/// Hooks that share a module: each event clears the buffers of everything that the module reads, so
/// one module for all would need quadratic time.
const TOGETHER: usize = 256;

/// Checks the inline examples of a compilation without errors: one case each, in source order, for
/// the selected names. An example of an unknown type is an error instead. `exercised` collects
/// which hooks match. With `coverage`, the linked hooks are counted.
///
/// # Errors
/// A module for the conditions exceeds the limits.
pub fn examples(
    compiled: &Compiled,
    keep: &dyn Fn(&str) -> bool,
    mut coverage: Option<&mut Coverage>,
    exercised: &mut Exercised,
) -> Result<Outcome, CannotRun> {
    exercised.register(compiled);
    if let Some(coverage) = &mut coverage {
        coverage.register(compiled);
    }
    let has_examples = |policy: &Policy| policy.hooks.iter().any(|hook| !hook.examples.is_empty());
    if !compiled.policies.iter().any(has_examples) {
        return Ok(Outcome::default());
    }
    let vocabulary = Vocabulary::builtin();
    let types = EventTypes::of_policies(&compiled.policies);
    let labels = labels_of(compiled);
    let fields = Fields::of_policies(&compiled.policies);
    let linked = &compiled.linked;
    let with_history = |policy: &Policy| policy.hooks.iter().flat_map(|hook| &hook.examples).any(has_history);
    let whole = compiled.module.clone().filter(|_| compiled.policies.iter().any(with_history));
    let whole = whole.map(Module::load).transpose()?.map(Rc::new);
    let patterns = compiled.pattern_texts();
    let mut run = Run {
        labels,
        linked,
        patterns,
        whole,
        types,
        fields,
        keep,
        coverage,
        exercised,
        out: Outcome::default(),
    };
    for (policy, layer) in compiled.policies.iter().zip(&compiled.layers) {
        let policy = with_examples(policy);
        let checked = checked(&policy, *layer, &vocabulary);
        let hooks: Vec<_> = policy.hooks.iter().zip(&checked).collect();
        hooks.chunks(TOGETHER).try_for_each(|hooks| run.together(hooks))?;
    }
    Ok(run.out)
}

fn has_history(example: &Example) -> bool {
    !example.history.is_empty()
}

/// A diagnostic for each failing example.
#[must_use]
pub fn diagnostics(cases: &[Case]) -> Vec<Diagnostic> {
    let failed = cases.iter().flat_map(|case| case.failures.iter().map(move |failure| (case, failure)));
    let tell = |(case, failure): (&Case, &Failure)| {
        let mut new = Diagnostic::new(Code::E0417, case.span, failure.message.clone());
        new = new.with_label("in this example").help("correct the condition or the example");
        failure.because.iter().fold(new, |new, line| new.note(line.clone()))
    };
    failed.map(tell).collect::<Diagnostics>().finish()
}

/// The labels of the linked hooks, by their spans.
fn labels_of(compiled: &Compiled) -> HashMap<Span, String> {
    let mut labels = HashMap::new();
    for hook in compiled.linked.events.iter().flat_map(|event| &event.hooks) {
        labels.entry(hook.span).or_insert_with(|| hook.label.clone());
    }
    labels
}

fn with_examples(policy: &Policy) -> Policy {
    let hooks = policy.hooks.iter().filter(|hook| !hook.examples.is_empty()).cloned().collect();
    let (source, schema_version) = (policy.source, policy.schema_version.clone());
    let (declarations, skill) = (policy.declarations.clone(), policy.skill.clone());
    let facts = policy.facts.clone();
    Policy { source, schema_version, hooks, declarations, facts, skill, agent: policy.agent }
}

/// The hooks again, before linking removed any. Their diagnostics were reported during compilation.
fn checked(policy: &Policy, layer: Layer, vocabulary: &Arc<Vocabulary>) -> Vec<CheckedHook> {
    let mut reported = Diagnostics::new();
    let declared = Arc::new(vocabulary.with_declarations(&policy.declarations, &mut reported));
    check::check(policy, Some(layer), &declared, &mut reported).hooks
}

/// A test run.
struct Run<'r> {
    /// The labels of hooks that take part.
    labels: HashMap<Span, String>,
    linked: &'r Linked,
    patterns: PatternTexts,
    /// All hooks, which decide about events before those of examples.
    whole: Option<Rc<Module>>,
    /// Whether the case of a name is selected.
    keep: &'r dyn Fn(&str) -> bool,
    types: EventTypes,
    fields: Fields,
    coverage: Option<&'r mut Coverage>,
    exercised: &'r mut Exercised,
    out: Outcome,
}

/// A hook, checked, and the number of its first condition.
struct Subject<'h> {
    hook: &'h Hook,
    checked: &'h CheckedHook,
    first: usize,
    label: String,
}

impl Run<'_> {
    /// The examples of some hooks, by one module.
    fn together(&mut self, hooks: &[(&Hook, &CheckedHook)]) -> Result<(), CannotRun> {
        let (mut draft, mut subjects, mut first) = (Draft::new(self.linked), Vec::new(), 0);
        for (hook, checked) in hooks {
            let label = self.labels.get(&checked.span).cloned().unwrap_or_else(|| fallback(hook));
            subjects.push(Subject { hook, checked, first, label });
            checked.events.iter().for_each(|event| draft.add(event.family, &event.name.node, &event.cond));
            first += checked.events.len();
        }
        let conditions = draft.finish()?;
        let names = Names::new(conditions.module.tables()?).with_patterns(self.patterns.clone());
        let whole = self.whole.clone();
        let mut runner =
            Runner { conditions: &conditions, whole: whole.as_deref(), names, scratch: Scratch::new() };
        for subject in &subjects {
            for (number, example) in (1..).zip(&subject.hook.examples) {
                let name = format!("{}, example {number}", subject.label);
                if !(self.keep)(&name) {
                    continue;
                }
                if !self.is_known(subject, example) {
                    continue;
                }
                let seen =
                    ExampleResults { coverage: self.coverage.as_deref_mut(), exercised: self.exercised };
                self.out.cases.push(runner.case(subject, name, example, seen));
            }
        }
        Ok(())
    }

    /// Whether the types of the events of an example are known. Reports their fields that are not.
    fn is_known(&mut self, subject: &Subject<'_>, example: &Example) -> bool {
        let events = || example.history.iter().map(|earlier| &earlier.event).chain([&example.event]);
        let unknown = |event| stated(event).and_then(|(name, span)| self.types.unknown(name, span));
        let unknown: Vec<_> = events().filter_map(unknown).collect();
        if !unknown.is_empty() {
            self.out.diagnostics.extend(unknown);
            return false;
        }
        let diagnostics = &mut self.out.diagnostics;
        let family = subject.checked.events.first().map(|event| event.family);
        for earlier in &example.history {
            if let (Some(family), Some((name, _))) = (family, stated(&earlier.event)) {
                self.fields.check(family, name, &earlier.event, diagnostics);
            }
        }
        let stated = stated(&example.event).map(|(name, _)| name);
        let is_stated = |event: &&CheckedEvent| stated.is_none_or(|name| name == event.name.node);
        if let Some(event) = subject.checked.events.iter().find(is_stated) {
            self.fields.check(event.family, &event.name.node, &example.event, diagnostics);
        }
        true
    }
}

/// The name of a hook that is not linked.
fn fallback(hook: &Hook) -> String {
    let event = || hook.events.first().map(|event| event.node.clone());
    hook.id.as_ref().map(|id| id.node.clone()).or_else(event).unwrap_or_default()
}

/// The results of the examples.
struct ExampleResults<'s> {
    coverage: Option<&'s mut Coverage>,
    exercised: &'s mut Exercised,
}

struct Runner<'c> {
    conditions: &'c Conditions,
    whole: Option<&'c Module>,
    names: Names<'c>,
    scratch: Scratch,
}

/// What happened before the event of an example.
#[derive(Default)]
struct Past {
    /// What the conditions read.
    sessions: Sessions,
    /// When the event of the example happens.
    time: u64,
}

impl Runner<'_> {
    fn case(
        &mut self,
        subject: &Subject<'_>,
        name: String,
        example: &Example,
        mut seen: ExampleResults<'_>,
    ) -> Case {
        let mut case = Case {
            kind: CaseKind::Example,
            name,
            span: short(&example.event),
            event: None,
            outcome: outcome(example.matches).to_owned(),
            failures: Vec::new(),
        };
        let (json, stated) = (print::json(&example.event), stated(&example.event));
        let mut past = match self.past(example) {
            Ok(past) => past,
            Err(error) => {
                let failure = Failure::new("an event in the `history` of the example is not an event");
                case.failures.push(failure.because([error.to_string()]));
                return case;
            }
        };
        let events = subject.checked.events.iter().enumerate();
        for (at, event) in events.filter(|(_, event)| stated.is_none_or(|(name, _)| name == event.name.node))
        {
            case.event.get_or_insert_with(|| event.name.node.clone());
            let failure = match self.holds(subject, at, &json, &mut past, &mut seen) {
                Ok((held, _)) if held == example.matches => continue,
                Ok((_, why)) => wrong(&subject.label, &event.name.node, example.matches, why),
                Err(error) => Failure::new("the example is not an event").because([error.to_string()]),
            };
            case.outcome = outcome(!example.matches).to_owned();
            case.failures.push(failure);
        }
        if case.event.is_none() {
            foreign(subject, example, stated.map(|(name, _)| name).unwrap_or_default(), &mut case);
        }
        case
    }

    /// The history of an example: what the hooks and the example itself say about its earlier events.
    fn past(&mut self, example: &Example) -> Result<Past, DecideError> {
        let (mut past, mut clock, mut decided) = (Past::default(), Clock::default(), Sessions::default());
        let moment = |at: &Option<Spanned<String>>| at.as_ref().and_then(|at| Moment::parse(&at.node));
        for earlier in &example.history {
            let (json, time) = (print::json(&earlier.event), clock.time(moment(&earlier.at)));
            decided.enter(&json);
            past.sessions.enter(&json);
            let stated = earlier.outcome.map(|outcome| recorded(outcome.node));
            let verdict = match self.whole {
                Some(whole) => {
                    let histories = decided.histories(time);
                    let ask = DecideOptions::default().history(&histories);
                    let decision = whole.decide(&mut self.scratch, json.as_bytes(), &ask)?;
                    let verdict = stated.unwrap_or_else(|| observed::verdict(&decision));
                    let records = observed::records(&decision);
                    decided.record(records, verdict);
                    verdict
                }
                None => stated.unwrap_or(Verdict::None),
            };
            let histories = past.sessions.histories(time);
            let ask = DecideOptions::default().history(&histories);
            let decision = self.conditions.module.decide(&mut self.scratch, json.as_bytes(), &ask)?;
            let records = observed::records(&decision);
            past.sessions.record(records, verdict);
        }
        past.time = clock.time(moment(&example.at));
        Ok(past)
    }

    /// Whether the hook's condition is true at its event `at`, and why.
    fn holds(
        &mut self,
        subject: &Subject<'_>,
        at: usize,
        json: &str,
        past: &mut Past,
        seen: &mut ExampleResults<'_>,
    ) -> Result<(bool, String), DecideError> {
        let conditions = self.conditions;
        let Some(place) = conditions.places.get(subject.first + at) else {
            return Ok((false, String::new()));
        };
        past.sessions.enter(json);
        let histories = past.sessions.histories(past.time);
        let mut probe = conditions.probe(&mut self.scratch, json.as_bytes(), place, &histories)?;
        let held = probe.holds(place.rank)?;
        let why = match probe.deciding(place.rank)? {
            Some(deciding) => describe::deciding(&self.names, &deciding),
            None => "it has no condition to test".to_owned(),
        };
        if held {
            seen.exercised.mark(subject.checked.span);
        }
        if let Some(coverage) = &mut seen.coverage {
            coverage.count(subject.checked.span, place, &mut probe, &past.sessions)?;
        }
        Ok((held, why))
    }
}

/// An event of a type that the hook does not handle: it does not match.
fn foreign(subject: &Subject<'_>, example: &Example, stated: &str, case: &mut Case) {
    case.event = Some(stated.to_owned());
    case.outcome = outcome(false).to_owned();
    if example.matches {
        let names: Vec<_> = subject.hook.events.iter().map(|event| format!("`{}`", event.node)).collect();
        let why = format!("the example has the type `{stated}`; the hook handles {}", names.join(", "));
        case.failures.push(wrong(&subject.label, stated, true, why));
    }
}

fn outcome(matches: bool) -> &'static str {
    if matches { "matches" } else { "does not match" }
}

fn wrong(label: &str, event: &str, expected: bool, why: String) -> Failure {
    let message = match expected {
        true => format!("`{label}` should match this `{event}` event, but does not"),
        false => format!("`{label}` should not match this `{event}` event, but does"),
    };
    Failure::new(message).because([why])
}

/// The type that an event states, and where: the first string at a type path.
pub(super) fn stated(event: &Value) -> Option<(&str, Span)> {
    let text = |value: &'_ Value| value.as_str().is_some();
    let nested = event.get("event").and_then(|event| event.get("type")).filter(|value| text(value));
    let named = || event.get("hook_event_name").filter(|value| text(value));
    let found = nested.or_else(named).or_else(|| event.get("event_type").filter(|value| text(value)))?;
    Some((found.as_str()?, found.span))
}
