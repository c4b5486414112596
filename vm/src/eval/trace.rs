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

/// What a hook says about an event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Traced<'a> {
    /// The hook.
    pub hook: Fired<'a>,
    /// Whether its condition holds.
    pub matched: bool,
    /// The predicate that settled it: the last one tested. `None` for a
    /// condition that tests nothing.
    pub tested: Option<Tested>,
    /// The rank of the hook that decided before this one was looked at.
    pub decided_by: Option<u32>,
}

/// A predicate that was tested.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tested {
    /// Its row in the predicate table.
    pub pred: u32,
    /// Whether it is true.
    pub truth: bool,
    /// The value that it read, as compact JSON; `None` if absent.
    pub actual: Option<String>,
    /// For a predicate over two slots, the second value.
    pub other: Option<String>,
}

pub(super) fn trace<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    source: Source<'a>,
    ask: &Ask<'a>,
) -> Result<Vec<Traced<'a>>, DecideError> {
    let mut prepared = prepare(module, scratch, source, ask)?;
    let first = prepared.event.map_or(0, |event| event.hooks.start.get());
    let single = prepared.strategy(ask) == Strategy::First;
    let (mut out, mut decider) = (Vec::new(), None);
    for (rank, hook) in prepared.ranks(ask) {
        let mut machine = prepared.machine();
        let matched = machine.cond(hook.cond.get())?;
        let tested = tested(&machine);
        let fired = Fired::new(prepared.view, &prepared.tables, first, rank);
        out.push(Traced { hook: fired, matched, tested, decided_by: decider });
        if single && matched && decider.is_none() && fired.mode == Mode::Enforce {
            decider = Some(rank);
        }
    }
    Ok(out)
}

fn tested(machine: &Machine<'_>) -> Option<Tested> {
    let pred = machine.last;
    let found = row(machine.tables.preds, pred).filter(|_| pred != NONE)?;
    let op = Op::from_number(found.op)?;
    let other = (op.operands().1 == Operand::Slot).then(|| machine.slot(found.b));
    Some(Tested {
        pred,
        truth: machine.memo.pred(pred)?,
        actual: written(machine.slot(found.a)),
        other: other.and_then(written),
    })
}

fn written(item: Item<'_>) -> Option<String> {
    let mut out = String::new();
    item.write_canonical(&mut out);
    (!matches!(item, Item::Absent)).then_some(out)
}
