//! Why hooks match or do not: every hook of an event's type, evaluated.

use super::decision::Fired;
use super::machine::Machine;
use super::scratch::Scratch;
use super::search::{Source, prepare};
use super::{Ask, DecideError};
use crate::event::Item;
use crate::module::format::NONE;
use crate::module::{Mode, Module, Strategy, row};
use crate::op::{Op, Operand};

/// What every hook of an event's type says about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    event: String,
    hooks: Vec<Traced>,
}

/// What a hook says about an event, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traced {
    /// Its place among the hooks of its event type, from 0.
    pub rank: u32,
    /// Its mode.
    pub mode: Mode,
    /// Its id or label; not in a stripped module.
    pub label: Option<String>,
    /// File, line and column of its source; not in a stripped module.
    pub place: Option<(String, u32, u32)>,
    /// What comes of it.
    pub verdict: Verdict,
    /// For [`Verdict::Shadowed`], the label of the hook that decided before
    /// it, or `rank N`.
    pub shadowed_by: Option<String>,
    /// The predicate that settled its condition: the last one tested. `None`
    /// for a condition that tests nothing.
    pub deciding: Option<Deciding>,
}

/// What comes of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It matches and decides.
    Decides,
    /// It matches, and is reported, being a warn or shadow hook.
    Reported,
    /// It matches, but an earlier hook has decided.
    Shadowed,
    /// It does not match.
    NoMatch,
}

/// A predicate that settled a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deciding {
    /// Its row in the predicate table.
    pub pred: u32,
    /// Whether it is true.
    pub holds: bool,
    /// The value that it read, as compact JSON; `None` if absent.
    pub actual: Option<String>,
    /// For a predicate over two slots, the second value.
    pub other: Option<String>,
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
    source: Source<'a>,
    ask: &Ask<'a>,
) -> Result<Trace, DecideError> {
    let mut prepared = prepare(module, scratch, source, ask)?;
    let first = prepared.event.map_or(0, |event| event.hooks.start.get());
    let single = prepared.strategy(ask) == Strategy::First;
    let (mut hooks, mut decider) = (Vec::new(), None);
    for (rank, hook) in prepared.ranks(ask) {
        let machine = &mut prepared.machine;
        machine.last = NONE;
        let matched = machine.cond(hook.cond.get()).map_err(|stop| machine.explain(stop))?;
        let deciding = deciding(machine);
        let fired = Fired::new(prepared.view, machine.tables, first, rank);
        let verdict = match (matched, &decider, fired.mode()) {
            (false, ..) => Verdict::NoMatch,
            (true, Some(_), _) => Verdict::Shadowed,
            (true, None, Mode::Enforce) => Verdict::Decides,
            (true, None, Mode::Warn | Mode::Shadow) => Verdict::Reported,
        };
        let shadowed_by = decider.clone().filter(|_| verdict == Verdict::Shadowed);
        if single && verdict == Verdict::Decides {
            decider = Some(fired.label().map_or_else(|| format!("rank {rank}"), str::to_owned));
        }
        hooks.push(traced(fired, verdict, shadowed_by, deciding));
    }
    Ok(Trace { event: prepared.name.to_owned(), hooks })
}

fn traced(
    fired: Fired<'_>,
    verdict: Verdict,
    shadowed_by: Option<String>,
    deciding: Option<Deciding>,
) -> Traced {
    Traced {
        rank: fired.rank(),
        mode: fired.mode(),
        label: fired.label().map(str::to_owned),
        place: fired.place().map(|(file, line, column)| (file.to_owned(), line, column)),
        verdict,
        shadowed_by,
        deciding,
    }
}

fn deciding(machine: &Machine<'_>) -> Option<Deciding> {
    let pred = machine.last;
    let found = row(machine.tables.preds, pred).filter(|_| pred != NONE)?;
    let op = Op::from_number(found.op)?;
    let other = (op.operands().1 == Operand::Slot).then(|| machine.slot(found.b));
    Some(Deciding {
        pred,
        holds: machine.memo.pred(pred)?,
        actual: written(machine.slot(found.a)),
        other: other.and_then(written),
    })
}

fn written(item: Item<'_>) -> Option<String> {
    let mut out = String::new();
    item.write_canonical(&mut out);
    (!matches!(item, Item::Absent)).then_some(out)
}
