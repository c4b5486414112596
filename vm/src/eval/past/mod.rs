//! Predicates about the history: reads of recalls, and predicates about their values.
//!
//! Everything here is out of line, so that decisions of modules without history cost what they did. A read that is
//! unknown stops the evaluation as an error does ([`StopReason::Unknown`]); the search then starts again with the
//! logic of three values in [`kleene`](super::kleene).

mod account;
mod keys;
mod read;
mod value;
mod watch;

use std::collections::HashMap;

use hookc_base::PartitionTag;
use hookc_history::{Feed, Keys, Secret};

pub(super) use account::Account;
pub(super) use value::Recalled;

use super::kleene::Kleene;
use super::machine::Machine;
use crate::history::{Cause, Histories, Part, Why};
use crate::module::row;
use crate::op::Op;
use crate::rows::Row;
use crate::stop::StopReason;

/// What a decision knows of the history.
#[derive(Debug)]
pub(super) struct Past<'s> {
    pub(super) histories: Option<&'s Histories<'s>>,
    pub(super) memory: &'s mut Memory,
}

/// What was read of the history for this event; cleared for the next one.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// By predicate, why it is unknown.
    pub(super) unknown_preds: Map<Cause>,
    /// By condition, and the predicate that makes it unknown.
    pub(super) unknown_conds: Map<(Cause, u32)>,
    /// By recall that reads no bound node.
    truths: Map<Kleene>,
    /// By slot of a recall that templates of hooks read.
    pub(super) values: Map<Recalled>,
    /// By row of ties without a bound node, the keys of the event; `None` if it has so many that it may match any.
    keys: Map<Option<Keys>>,
    /// The texts of a key that is being made.
    texts: keys::Texts,
    /// By watch that a recall with `including now` reads, what the event adds to its cell.
    feeds: Map<Option<Feed>>,
    /// The hooks whose condition is unknown, by rank.
    pub(super) hooks: Vec<(u32, Cause)>,
    /// What the event adds, by cell.
    pub(super) recorded: Vec<(u32, Feed)>,
}

type Map<T> = HashMap<u32, T, foldhash::fast::FixedState>;

impl Memory {
    /// Forgets the event.
    pub(super) fn clear(&mut self) {
        let Self { unknown_preds, unknown_conds, truths, values, keys, feeds, hooks, recorded, texts: _ } =
            self;
        unknown_preds.clear();
        unknown_conds.clear();
        truths.clear();
        values.clear();
        keys.clear();
        feeds.clear();
        hooks.clear();
        recorded.clear();
    }
}

impl<'s> Machine<'s> {
    /// Whether a recall is true.
    #[cold]
    #[inline(never)]
    pub(super) fn past(&mut self, recall: u32) -> Result<bool, StopReason> {
        let known = self.past.memory.truths.get(&recall).copied();
        let truth = match known {
            Some(truth) => truth,
            None => self.read_recall(recall)?,
        };
        match truth {
            Kleene::True => Ok(true),
            Kleene::False => Ok(false),
            Kleene::Unknown(cause) => Err(StopReason::Unknown(cause)),
        }
    }

    fn read_recall(&mut self, number: u32) -> Result<Kleene, StopReason> {
        let recall = row(self.view.tables.recalls, number).ok_or(StopReason::Unverified)?;
        let truth = self.truth_of_recall(&recall)?;
        if self.is_closed(&recall) {
            self.past.memory.truths.insert(number, truth);
        }
        Ok(truth)
    }

    /// The history of a partition, and the secret of its keys.
    pub(super) fn part(
        &self,
        key: PartitionTag,
    ) -> Result<(&'s hookc_history::Partition, u64, &'s Secret), Cause> {
        let unavailable = Cause { key, why: Why::Unavailable };
        let histories = self.past.histories.ok_or(unavailable)?;
        match histories.part(key) {
            Part::Known { partition, time } => Ok((partition, time, histories.secret)),
            Part::Unknown(_) => Err(unavailable),
        }
    }

    /// Whether a predicate that reads values of recalls is true.
    #[cold]
    #[inline(never)]
    pub(super) fn recalled(&mut self, pred: u32) -> Result<bool, StopReason> {
        let test = row(self.view.tables.preds, pred).ok_or(StopReason::Unverified)?;
        let op = Op::from_number(test.op).ok_or(StopReason::Unverified)?;
        if op == Op::Any { self.any_recalled(test) } else { self.test_recalled(op, test) }
    }

    /// The operations that read the history; no other one comes here.
    #[cold]
    #[inline(never)]
    pub(super) fn historic(&mut self, op: Op, row: Row) -> Result<bool, StopReason> {
        match op {
            Op::Past => self.past(row.a.get()),
            Op::Recalled => self.recalled(row.a.get()),
            _ => Err(StopReason::Unverified),
        }
    }
}
