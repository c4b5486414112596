//! Why hooks match or do not: every hook of an event's type, evaluated.

use hookc_base::{Mode, Strategy};

use super::decision::{Form, MatchedHook};
use super::kleene::Kleene;
use super::machine::Machine;
use super::past::Account;
use super::scratch::Scratch;
use super::search::{Prepared, Views, open_text, stated};
use super::{DecideError, DecideOptions};
use crate::event::{Item, Origin};
use crate::history::Unknown;
use crate::module::{Module, row};
use crate::op::{Op, Operand};
use crate::rows::{NONE, Row, U32};
use crate::stop::StopReason;

/// The result of every hook of an event's type. It costs more than a decision: no index is used,
/// and no hook is left out.
///
/// ```
/// use hookc_vm::trace::Verdict;
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// # let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
/// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// let trace = module.trace(&mut Scratch::new(), event, &DecideOptions::default())?;
/// let verdicts: Vec<Verdict> = trace.hooks().iter().map(|hook| hook.verdict).collect();
/// assert_eq!(verdicts, [Verdict::NoMatch, Verdict::Decides]);
/// let read = trace.hooks()[0].deciding.as_ref().and_then(|deciding| deciding.actual.as_deref());
/// assert!(read.is_some_and(|commands| commands.contains(r#""name":"rm""#)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    event: String,
    hooks: Vec<Traced>,
}

/// The result of one hook, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traced {
    /// Its position among the hooks of its event type, from 0.
    pub rank: u32,
    /// Its mode.
    pub mode: Mode,
    /// Its id or label; not in a stripped module.
    pub label: Option<String>,
    /// File, line and column of its source; not in a stripped module.
    pub place: Option<(String, u32, u32)>,
    /// Its result.
    pub verdict: Verdict,
    /// For [`Verdict::Shadowed`], the label of the hook that decided before
    /// it, or `rank N`.
    pub shadowed_by: Option<String>,
    /// The predicate that determined its condition: the last one tested. `None` for a condition
    /// without tests.
    pub deciding: Option<Deciding>,
}

hookc_base::named_enums! {
    /// The result of a hook.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Verdict as_str {
        /// It matches and decides.
        Decides "decides";
        /// It matches, and is reported, being a warn or shadow hook.
        Reported "reported";
        /// It matches, but an earlier hook has decided.
        Shadowed "shadowed";
        /// It does not match.
        NoMatch "no match";
        /// Its condition is about earlier events, and unknown.
        Unknown "unknown";
    }
}

/// A predicate that settled a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deciding {
    /// Its row in the predicate table.
    pub pred: u32,
    /// Whether it is true.
    pub holds: bool,
    /// The value that it read, as compact JSON; `None` if absent. For a
    /// predicate over the nodes of a query, the list of the first
    /// [`MAX_NODES`](Self::MAX_NODES) of them.
    pub actual: Option<String>,
    /// For a predicate over the nodes of a query, the number of nodes.
    pub nodes: Option<usize>,
    /// For a predicate over two slots, the second value.
    pub other: Option<String>,
    /// For a true predicate over the nodes of a query, the list of the first [`MAX_NODES`](Self::MAX_NODES)
    /// nodes for which it is true.
    pub matching: Option<String>,
    /// For a quantifier, by node of [`actual`](Self::actual), whether its condition is true, and the predicate that
    /// determined that: the last one tested, `None` for a condition without tests.
    pub decided_by: Vec<(bool, Option<u32>)>,
    /// For a predicate about effects, what of the event made it true or false.
    pub because: Option<String>,
}

impl Deciding {
    /// Nodes of a query that [`actual`](Self::actual) lists at most.
    pub const MAX_NODES: usize = 16;

    /// Without values.
    fn new(pred: u32, holds: bool) -> Self {
        let (actual, other, matching, because) = (None, None, None, None);
        Self { pred, holds, actual, nodes: None, other, matching, decided_by: Vec::new(), because }
    }
}

impl Trace {
    /// The event's type.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The hooks in rank order; none if the module has none for the type.
    #[must_use]
    pub fn hooks(&self) -> &[Traced] {
        &self.hooks
    }
}

pub(super) fn trace<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    event: &'a [u8],
    ask: &DecideOptions<'a>,
) -> Result<Trace, DecideError> {
    let tables = *module.tables_in_place();
    let (text, row) = open_text(module, &tables, scratch, event, (ask, Views::Whole))?;
    let event = Origin::Text(text);
    let mut prepared = Prepared::new(module, &tables, scratch, (event, row, ask.history));
    let first = prepared.event.map_or(0, |event| event.hooks.start.get());
    let single = prepared.strategy(ask) == Strategy::First;
    let (mut hooks, mut decider) = (Vec::new(), None);
    for (rank, hook) in prepared.ranks(ask) {
        let machine = &mut prepared.machine;
        machine.last = NONE;
        let matched = machine.truth(hook.test()).map_err(|stop| machine.explain(stop))?;
        let deciding = deciding(machine).map_err(|stop| machine.explain(stop))?;
        let past = None;
        let fired =
            MatchedHook { module, slots: machine.view.slots, form: Form::Text(text), first, rank, past };
        let verdict = match (matched, &decider, fired.mode()) {
            (Kleene::False, ..) => Verdict::NoMatch,
            (Kleene::Unknown(_), ..) => Verdict::Unknown,
            (Kleene::True, Some(_), _) => Verdict::Shadowed,
            (Kleene::True, None, Mode::Enforce) => Verdict::Decides,
            (Kleene::True, None, Mode::Warn | Mode::Shadow) => Verdict::Reported,
        };
        let shadowed_by = decider.clone().filter(|_| verdict == Verdict::Shadowed);
        if single && verdict == Verdict::Decides {
            decider = Some(fired.label().map_or_else(|| format!("rank {rank}"), str::to_owned));
        }
        hooks.push(traced(fired, verdict, shadowed_by, deciding));
    }
    let name = ask.event.or_else(|| stated(prepared.machine.view.slots, text)).unwrap_or_default();
    Ok(Trace { event: name.to_owned(), hooks })
}

fn traced(
    fired: MatchedHook<'_>,
    verdict: Verdict,
    shadowed_by: Option<String>,
    deciding: Option<Deciding>,
) -> Traced {
    Traced {
        rank: fired.rank(),
        mode: fired.mode(),
        label: fired.label().map(str::to_owned),
        place: fired.location().map(|(file, line, column)| (file.to_owned(), line, column)),
        verdict,
        shadowed_by,
        deciding,
    }
}

pub(super) fn deciding(machine: &mut Machine<'_>) -> Result<Option<Deciding>, StopReason> {
    let pred = machine.last;
    let found = row(machine.view.tables.preds, pred).filter(|_| pred != NONE);
    if let Some(cause) = machine.past.memory.unknown_preds.get(&pred) {
        let cause = Unknown { cause: *cause, histories: machine.past.histories };
        return Ok(Some(Deciding { because: Some(cause.to_string()), ..Deciding::new(pred, false) }));
    }
    let Some((test, holds)) = found.zip(machine.memo.pred(pred)) else { return Ok(None) };
    if test.op == Op::Past as u8 || test.op == Op::Recalled as u8 {
        let Account { value, other, because } = machine.account(pred);
        return Ok(Some(Deciding { actual: value, other, because, ..Deciding::new(pred, holds) }));
    }
    if test.op == Op::Any as u8 {
        let (actual, count) = nodes(machine, test.a.get())?;
        let inner = row(machine.view.tables.preds, test.b.get());
        let other = inner.and_then(|inner| other(machine, inner));
        let matching = if holds { matching(machine, test)? } else { None };
        let (actual, nodes) = (Some(actual), Some(count));
        return Ok(Some(Deciding { actual, nodes, other, matching, ..Deciding::new(pred, holds) }));
    }
    if test.op == Op::Some as u8 {
        return quantified(machine, pred, test, holds).map(Some);
    }
    if test.op == Op::Acts as u8 {
        let because = machine.because(test.a.get());
        return Ok(Some(Deciding { because, ..Deciding::new(pred, holds) }));
    }
    let (actual, other) = (written(machine, test.a.get().into()), other(machine, test));
    Ok(Some(Deciding { actual, other, ..Deciding::new(pred, holds) }))
}

/// The first nodes of a quantifier, and those for which its condition is true.
fn quantified(machine: &mut Machine<'_>, pred: u32, some: Row, holds: bool) -> Result<Deciding, StopReason> {
    let (mut nodes_text, mut matching, mut count, mut hits) =
        ("[".to_owned(), "[".to_owned(), 0_usize, 0_usize);
    let (view, mut decided_by) = (machine.view, Vec::new());
    machine.last_of_node = NONE;
    machine.each_node(some, &mut |machine, node, held| {
        if decided_by.len() < Deciding::MAX_NODES {
            decided_by.push((held, Some(machine.last_of_node).filter(|pred| *pred != NONE)));
        }
        machine.last_of_node = NONE;
        let mut decoded = String::new();
        let item = machine.queries.found_item(&view, node, &mut decoded);
        let lists = [(true, &mut nodes_text, &mut count), (held, &mut matching, &mut hits)];
        for (_, list, number) in lists.into_iter().filter(|(listed, ..)| *listed) {
            if *number < Deciding::MAX_NODES {
                list.push_str(if *number > 0 { "," } else { "" });
                item.write_canonical(list);
            }
            *number = number.saturating_add(1);
        }
        true
    })?;
    nodes_text.push(']');
    matching.push(']');
    let (actual, nodes) = (Some(nodes_text), Some(count));
    let matching = Some(matching).filter(|_| hits > 0);
    Ok(Deciding { actual, nodes, matching, decided_by, ..Deciding::new(pred, holds) })
}

/// The first nodes for which a predicate over the nodes of a query is true, as a list.
fn matching(machine: &mut Machine<'_>, any: Row) -> Result<Option<String>, StopReason> {
    let Some(test) = row(machine.view.tables.preds, any.b.get()) else { return Ok(None) };
    let Some(op) = Op::from_number(test.op) else { return Ok(None) };
    let (mut list, mut count) = ("[".to_owned(), 0_usize);
    let view = machine.view;
    let mut queries = std::mem::take(machine.queries);
    let walked = queries.each(&view, any.a.get(), &mut |budget, node| {
        if machine.node_holds(op, test, (node, budget))? {
            list.push_str(if count > 0 { "," } else { "" });
            node.write_canonical(&mut list);
            count = count.saturating_add(1);
        }
        Ok(count < Deciding::MAX_NODES)
    });
    *machine.queries = queries;
    walked?;
    list.push(']');
    Ok(Some(list).filter(|_| count > 0))
}

/// The first nodes of a query as a list, and the total number of nodes.
fn nodes(machine: &mut Machine<'_>, query: u32) -> Result<(String, usize), StopReason> {
    let (mut list, mut count) = ("[".to_owned(), 0_usize);
    let view = machine.view;
    machine.queries.each(&view, query, &mut |_, node| {
        if count < Deciding::MAX_NODES {
            list.push_str(if count > 0 { "," } else { "" });
            node.write_canonical(&mut list);
        }
        count = count.saturating_add(1);
        Ok(true)
    })?;
    list.push(']');
    Ok((list, count))
}

/// The value of the second slot of a predicate over two.
fn other(machine: &Machine<'_>, test: Row) -> Option<String> {
    let second = Op::from_number(test.op)?.operands().1;
    if second == Operand::Slot { written(machine, test.b) } else { None }
}

/// The value of a slot of the event, as JSON; `None` if absent.
pub(super) fn written(machine: &Machine<'_>, slot: U32) -> Option<String> {
    let (mut out, mut decoded) = (String::new(), String::new());
    let item = machine.view.stored(slot.get()).item(&mut decoded);
    item.write_canonical(&mut out);
    (!matches!(item, Item::Absent)).then_some(out)
}
