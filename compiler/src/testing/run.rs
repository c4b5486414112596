//! Running the tests of a suite over the policies that it names.

use hookc_schema::Diagnostic;
use hookc_schema::agents::Agent;
use hookc_schema::tree::{Family, Recorded, Step};
use hookc_schema::value::Value;
use hookc_syntax::expr::print;
use hookc_vm::{DecideError, DecideOptions, Decision, EventError, Histories, Module, Scratch, Strategy};

use super::coverage::{Counter, Coverage};
use super::exercised::Exercised;
use super::explain::Explainer;
use super::fields::Fields;
use super::host;
use super::keys::error_kind;
use super::observed::{self, Observed, ObservedHook};
use super::result::{CannotRun, Case, CaseKind, Failure, Outcome};
use super::session::{Clock, Sessions, recorded};
use super::suite::{EventText, Expect, ExpectedError, ExpectedHook, Test};
use super::verdict;
use crate::disasm::describe::{Names, short};
use crate::event_types::EventTypes;
use crate::link::LinkedEvent;
use crate::{Compiled, lookup};
use hookc_schema::dialect::moment::Moment;
use hookc_schema::dialect::test::EventErrorKind;

/// The maximum number of lines that explain one failure.
const REASONS: usize = 8;

/// Runs tests over a compilation without errors: one case per event, in order. An event of an
/// unknown type is an error instead. `exercised` collects which hooks match. With `coverage`, every
/// hook of the events' types is counted too, which evaluates all their conditions for each event.
///
/// # Errors
/// The module cannot be loaded, or coverage needs one beyond a limit.
pub fn run(
    compiled: &Compiled,
    tests: &[Test],
    coverage: Option<&mut Coverage>,
    exercised: &mut Exercised,
) -> Result<Outcome, CannotRun> {
    let Some(bytes) = &compiled.module else { return Ok(Outcome::default()) };
    let module = Module::load(bytes.clone())?;
    let mut counting = coverage.map(|coverage| counting(compiled, coverage)).transpose()?;
    exercised.register(compiled);
    let explainer =
        Explainer::new(compiled, Names::new(module.tables()?).with_patterns(compiled.pattern_texts()));
    let types = EventTypes::of_policies(&compiled.policies);
    let fields = Fields::of_policies(&compiled.policies);
    let mut runner = Runner { compiled, module: &module, types, explainer, scratch: Scratch::new() };
    let mut out = Outcome::default();
    for sequence in tests.iter().flat_map(Sequence::from_test) {
        let Sequence { test, host, items } = sequence;
        let (mut sessions, mut clock) = (Sessions::new(), Clock::default());
        for item in items {
            let event = item.event;
            let time = clock.time(item.at);
            sessions.enter(&event.json);
            let histories = sessions.histories(time);
            let at = At { test, item: &item, host, histories: &histories };
            let (mut case, linked, seen) = runner.case(&at);
            if let Some(unknown) = runner.unknown(&case, linked, test, event) {
                out.diagnostics.push(unknown);
                continue;
            }
            if let (Some(name), Some(tree)) = (&case.event, &event.tree) {
                let family = linked.map_or(Family::Agent, |linked| linked.family);
                fields.check(family, name, tree, &mut out.diagnostics);
            }
            match linked {
                Some(linked) => runner.mark(linked, &at, exercised),
                None => case.failures.extend(item.expect.and_then(|expect| cannot_fail(&case, expect))),
            }
            case.failures.extend(unsent(host, &case, event));
            if let (Some((coverage, counter)), Some(linked)) = (&mut counting, linked) {
                // An event that was decided before gives no error now.
                let _counted = counter.count(
                    linked,
                    &event.json,
                    (&sessions, &histories),
                    &mut runner.scratch,
                    coverage,
                );
            }
            if let Some(seen) = seen {
                let verdict = item.outcome.map_or_else(|| seen.recorded(), recorded);
                sessions.record(seen.records, verdict);
            }
            if item.expect.is_some() || !case.failures.is_empty() {
                out.cases.push(case);
            }
        }
    }
    Ok(out)
}

/// Makes the counter of the hooks of the events' types.
fn counting<'c>(
    compiled: &Compiled,
    coverage: &'c mut Coverage,
) -> Result<(&'c mut Coverage, Counter), CannotRun> {
    let counter = Counter::new(&compiled.linked)?;
    coverage.register(compiled);
    Ok((coverage, counter))
}

/// Why the agent of a test never sends its event.
fn unsent(host: Option<&'static Agent>, case: &Case, event: &EventText) -> Option<Failure> {
    host::never_sends(host?, case.event.as_deref()?, event.tree.as_ref())
}

/// Events with one history.
struct Sequence<'t> {
    test: &'t Test,
    host: Option<&'static Agent>,
    items: Vec<Item<'t>>,
}

/// An event of a sequence.
#[derive(Clone)]
struct Item<'t> {
    /// Its number in the test, from 0.
    number: usize,
    event: &'t EventText,
    at: Option<Moment>,
    outcome: Option<Recorded>,
    /// Without it, the item is not a case.
    expect: Option<&'t Expect>,
}

impl<'t> Sequence<'t> {
    /// The sequences of a test: its steps at each agent, or each of its events alone.
    fn from_test(test: &'t Test) -> Vec<Self> {
        let steps = test.steps.iter().enumerate().map(|(number, step)| Item {
            number,
            event: &step.event,
            at: step.at,
            outcome: step.outcome,
            expect: step.expect.as_ref(),
        });
        let steps: Vec<Item<'t>> = steps.collect();
        let with_steps = Some(steps).filter(|steps| !steps.is_empty());
        let alone = test.events.iter().enumerate().map(|(number, event)| {
            vec![Item { number, event, at: None, outcome: None, expect: Some(&test.expect) }]
        });
        let lists: Vec<Vec<Item<'t>>> = with_steps.into_iter().chain(alone).collect();
        let at_hosts = |items: Vec<Item<'t>>| {
            let hosts: Vec<_> = test.each_host().collect();
            let sequence = move |host| Self { test, host, items: items.clone() };
            hosts.into_iter().map(sequence)
        };
        lists.into_iter().flat_map(at_hosts).collect()
    }
}

/// An event that is decided: its test, its agent, and what happened before.
struct At<'a> {
    test: &'a Test,
    item: &'a Item<'a>,
    host: Option<&'static Agent>,
    histories: &'a Histories<'a>,
}

impl<'a> At<'a> {
    fn ask(&self) -> DecideOptions<'a> {
        let name = self.test.event_type.as_ref().map(|name| name.node.as_str());
        DecideOptions::default().event(name).history(self.histories)
    }
}

/// Why a decided event without hooks proves nothing: whatever the policy says, it has no decision.
fn cannot_fail(case: &Case, expect: &Expect) -> Option<Failure> {
    let name = case.event.as_deref()?;
    let expects_nothing = expect.error.is_none()
        && expect.verdict.is_none()
        && expect.modify.is_none()
        && expect.hooks.as_ref().is_none_or(Vec::is_empty)
        && expect.reported.as_ref().is_none_or(Vec::is_empty)
        && expect.unknown.as_ref().is_none_or(Vec::is_empty);
    let new = || Failure::new(format!("no hook of the policy is for `{name}`, so this test cannot fail"));
    expects_nothing
        .then(|| new().because(["test an event that a hook is for, or remove the test".to_owned()]))
}

struct Runner<'c> {
    compiled: &'c Compiled,
    module: &'c Module,
    types: EventTypes,
    explainer: Explainer<'c>,
    scratch: Scratch,
}

impl<'c> Runner<'c> {
    /// Runs one event; also returns its linked event type and the decision, if there is one.
    fn case(&mut self, at: &At<'_>) -> (Case, Option<&'c LinkedEvent>, Option<Observed>) {
        let At { test, item, host, .. } = *at;
        let mut case = Case {
            kind: CaseKind::Test,
            name: test.case(item.number, host),
            span: item.event.span,
            event: None,
            outcome: String::new(),
            failures: Vec::new(),
        };
        let nothing = Expect::default();
        let expect = item.expect.unwrap_or(&nothing);
        let ask = at.ask();
        let seen = match self.decide(item.event, &ask, host) {
            Ok(seen) => {
                case.outcome = outcome(&seen.hooks);
                self.judge(expect, &seen, item.event, &ask, &mut case.failures);
                if let (Some(host), Some(failure)) = (host, case.failures.first_mut()) {
                    failure.because.extend(host::replaced(host, &seen.hooks));
                }
                case.event = Some(seen.event.clone());
                Some(seen)
            }
            Err(error) => {
                case.outcome = format!("error: {}", error_kind(&error).map_or("other", EventErrorKind::name));
                case.failures.extend(judge_error(expect, &error));
                None
            }
        };
        let linked = seen.as_ref().and_then(|seen| seen.linked);
        (case, linked.and_then(|at| self.compiled.linked.events.get(at)), seen)
    }

    /// The error of a decided event of an unknown type.
    fn unknown(
        &self,
        case: &Case,
        linked: Option<&LinkedEvent>,
        test: &Test,
        event: &EventText,
    ) -> Option<Diagnostic> {
        let name = case.event.as_deref().filter(|_| linked.is_none())?;
        let given = test.event_type.as_ref().map(|name| name.span);
        self.types.unknown(name, given.or(event.stated).unwrap_or(event.span))
    }

    /// Marks every hook that matches the event, including those after the deciding one.
    fn mark(&mut self, linked: &LinkedEvent, at: &At<'_>, exercised: &mut Exercised) {
        let (event, ask) = (at.item.event, at.ask().strategy(Strategy::All));
        // An event that was decided before gives no error now.
        let Ok(decision) = self.module.decide(&mut self.scratch, event.json.as_bytes(), &ask) else { return };
        let ranks =
            decision.hooks().chain(decision.reported()).filter_map(|hook| usize::try_from(hook.rank()).ok());
        ranks.filter_map(|rank| linked.hooks.get(rank)).for_each(|hook| exercised.mark(hook.span));
    }

    fn decide(
        &mut self,
        event: &EventText,
        ask: &DecideOptions<'_>,
        host: Option<&'static Agent>,
    ) -> Result<Observed, DecideError> {
        let decision = self.module.decide(&mut self.scratch, event.json.as_bytes(), ask)?;
        let linked = event_index(self.compiled, &decision);
        let event_type = linked.and_then(|at| self.compiled.linked.events.get(at));
        let hooks = decision.hooks().map(|hook| ObservedHook::deciding(&hook, event_type, host)).collect();
        let reported = decision.reported().map(|hook| ObservedHook::reported(&hook)).collect();
        let unknown = decision.unknown().map(|unknown| ObservedHook::reported(&unknown.hook)).collect();
        let records = observed::records(&decision);
        Ok(Observed { event: decision.event().to_owned(), linked, hooks, reported, unknown, records })
    }

    fn judge(
        &mut self,
        expect: &Expect,
        seen: &Observed,
        event: &EventText,
        ask: &DecideOptions<'_>,
        out: &mut Vec<Failure>,
    ) {
        if let Some(error) = expect.error {
            let kind = match error {
                ExpectedError::Any => String::new(),
                ExpectedError::Kind(kind) => format!(" `{}`", kind.name()),
            };
            out.push(Failure::new(format!("expected an error{kind}, but the event has a decision")));
        }
        if let Some(failure) = expect.verdict.as_ref().and_then(|wanted| verdict::judge(wanted, &seen.hooks))
        {
            let because = self.reasons_of_verdict(expect, seen, event, ask);
            out.push(failure.because(because));
        }
        let changed = |wanted: &Vec<(String, Value)>| {
            verdict::judge_input(wanted, &seen.hooks, &event.json, self.module.programs())
        };
        out.extend(expect.modify.as_ref().and_then(changed));
        if let Some(hooks) = &expect.hooks {
            let ids: Vec<&str> = hooks.iter().map(|hook| hook.id.node.as_str()).collect();
            match same(&ids, &seen.hooks) {
                true => hooks.iter().zip(&seen.hooks).for_each(|(hook, seen)| judge_action(hook, seen, out)),
                false => {
                    let new = Failure::new(differs(&ids, &seen.hooks, "to decide", ["does", "do"]));
                    let found: Vec<&ObservedHook> = seen.hooks.iter().collect();
                    out.push(new.because(self.reasons(&ids, &found, seen, event, ask)));
                }
            }
        }
        for (wanted, hooks, what) in [
            (&expect.reported, &seen.reported, "to be reported"),
            (&expect.unknown, &seen.unknown, "to be unknown"),
        ] {
            let Some(wanted) = wanted else { continue };
            let ids: Vec<&str> = wanted.iter().map(|id| id.node.as_str()).collect();
            if !same(&ids, hooks) {
                let new = Failure::new(differs(&ids, hooks, what, ["is", "are"]));
                let found: Vec<&ObservedHook> = hooks.iter().collect();
                out.push(new.because(self.reasons(&ids, &found, seen, event, ask)));
            }
        }
    }

    /// Why another verdict came out: the hooks that could give the expected one, and those that gave one.
    fn reasons_of_verdict(
        &mut self,
        expect: &Expect,
        seen: &Observed,
        event: &EventText,
        ask: &DecideOptions<'_>,
    ) -> Vec<String> {
        let Some(wanted) = expect.verdict.as_ref().map(|wanted| wanted.verdict) else { return Vec::new() };
        let event_type = seen.linked.and_then(|at| self.compiled.linked.events.get(at));
        let labels = verdict::hooks_with(wanted, event_type);
        let hooks: Vec<&ObservedHook> = seen.hooks.iter().filter(|hook| hook.verdict.is_some()).collect();
        let is_met = verdict::strictest(&seen.hooks) == Some(wanted);
        match is_met || labels.is_empty() && hooks.is_empty() {
            true => Vec::new(),
            false => self.reasons(&labels, &hooks, seen, event, ask),
        }
    }

    /// The reason for each missing or unexpected hook.
    fn reasons(
        &mut self,
        expected: &[&str],
        found: &[&ObservedHook],
        seen: &Observed,
        event: &EventText,
        ask: &DecideOptions<'_>,
    ) -> Vec<String> {
        let Ok(mut probe) = self.module.probe(&mut self.scratch, event.json.as_bytes(), ask) else {
            return Vec::new();
        };
        let decided: Vec<&str> = seen.hooks.iter().map(|hook| hook.label.as_str()).collect();
        let missing = expected.iter().filter(|id| found.iter().all(|hook| hook.label != **id));
        let surplus = found.iter().filter(|hook| !expected.contains(&hook.label.as_str()));
        let explainer = &self.explainer;
        let mut lines: Vec<String> =
            missing.take(REASONS).map(|id| explainer.absent(id, seen.linked, &decided, &mut probe)).collect();
        lines.extend(surplus.take(REASONS).map(|hook| explainer.settled(&hook.label, hook.rank, &mut probe)));
        if lines.is_empty() {
            lines.push("the same hooks in another order or number".to_owned());
        }
        lines
    }
}

/// The position of a decision's event type among the linked ones.
fn event_index(compiled: &Compiled, decision: &Decision<'_>) -> Option<usize> {
    let family = decision.family()?;
    let key = (family, decision.event());
    compiled.linked.events.binary_search_by(|event| (event.family, event.name.as_str()).cmp(&key)).ok()
}

fn same(ids: &[&str], seen: &[ObservedHook]) -> bool {
    ids.len() == seen.len() && ids.iter().zip(seen).all(|(id, hook)| *id == hook.label)
}

fn outcome(hooks: &[ObservedHook]) -> String {
    let labels: Vec<&str> = hooks.iter().map(|hook| hook.label.as_str()).collect();
    if labels.is_empty() { "no hook".to_owned() } else { labels.join(", ") }
}

/// `a`, `b`; or the word for none.
fn list<'a>(names: impl Iterator<Item = &'a str>, none: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

fn differs(ids: &[&str], seen: &[ObservedHook], what: &str, [one, many]: [&str; 2]) -> String {
    let expected = list(ids.iter().copied(), "no hook");
    let found = list(seen.iter().map(|hook| hook.label.as_str()), "no hook");
    let verb = if seen.len() > 1 { many } else { one };
    format!("expected {expected} {what}, but {found} {verb}")
}

fn judge_error(expect: &Expect, error: &DecideError) -> Option<Failure> {
    match expect.error {
        Some(ExpectedError::Any) => None,
        Some(ExpectedError::Kind(kind)) if error_kind(error) == Some(kind) => None,
        Some(ExpectedError::Kind(kind)) => {
            let found = error_kind(error).map_or("another", EventErrorKind::name);
            let new = Failure::new(format!("expected the error `{}`, but it is `{found}`", kind.name()));
            Some(new.because([error.to_string()]))
        }
        None => {
            let help = matches!(error, DecideError::Event(EventError::NoType))
                .then(|| "write the type in the test: `type: PreToolUse`".to_owned());
            let because = [error.to_string()].into_iter().chain(help);
            Some(Failure::new("the event has no decision").because(because))
        }
    }
}

fn judge_action(expected: &ExpectedHook, seen: &ObservedHook, out: &mut Vec<Failure>) {
    let label = &seen.label;
    let action = match (&seen.action, expected.fails) {
        (Ok(action), false) => action,
        (Err(_), true) => return,
        (Ok(_), true) => {
            out.push(Failure::new(format!("expected the action of `{label}` to fail, but it does not")));
            return;
        }
        (Err(why), false) => {
            out.push(Failure::new(format!("the action of `{label}` fails")).because([why.clone()]));
            return;
        }
    };
    for (field, value) in &expected.action {
        out.extend(judge_field(label, field, value, action));
    }
}

/// Whether a field is as expected: by the language's equality, where absent equals only null.
fn judge_field(label: &str, field: &str, expected: &Value, action: &str) -> Option<Failure> {
    let found = lookup::one(vec![Step::Name(field.to_owned())], action);
    let Some(wanted) = lookup::one(Vec::new(), &print::json(expected)) else {
        return Some(Failure::new(format!("the expected `{field}` is not a value that an action can have")));
    };
    if found.as_deref().unwrap_or("null") == wanted {
        return None;
    }
    let new = Failure::new(format!("expected `{field}` of the action of `{label}` to be {}", short(&wanted)));
    Some(new.because([match found {
        Some(found) => format!("`{field}` is {}", short(&found)),
        None => format!("the action has no `{field}`: {}", short(action)),
    }]))
}
