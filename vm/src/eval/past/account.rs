//! What of the history made a predicate true or false, for people.

use hookc_base::RecallTag;
use hookc_history::{History, Key, Selection, Stamp, Verdict};

use super::super::machine::Machine;
use super::value::Recalled;
use crate::eval::trace::written;
use crate::module::row;
use crate::op::{Op, Operand};

/// What a predicate read of the history.
#[derive(Debug, Default)]
pub(in crate::eval) struct Account {
    /// A number, or a text that is kept, as JSON.
    pub(in crate::eval) value: Option<String>,
    /// The second value of a comparison, as JSON.
    pub(in crate::eval) other: Option<String>,
    /// When the events were.
    pub(in crate::eval) because: Option<String>,
}

impl Machine<'_> {
    /// What a predicate about the history read. Nothing of it decides, so errors leave it empty.
    pub(in crate::eval) fn account(&mut self, pred: u32) -> Account {
        let found =
            row(self.view.tables.preds, pred).and_then(|test| Some((Op::from_number(test.op)?, test.a)));
        match found {
            Some((Op::Past, recall)) => self.account_of_recall(recall.get()),
            Some((Op::Recalled, inner)) => self.account_of_comparison(inner.get()).unwrap_or_default(),
            _ => Account::default(),
        }
    }

    fn account_of_comparison(&mut self, pred: u32) -> Option<Account> {
        let test = row(self.view.tables.preds, pred)?;
        let left = self.account_of_side(test.a.get());
        let right = match Op::from_number(test.op)?.operands().1 {
            Operand::Slot => self.account_of_side(test.b.get()),
            _ => Account::default(),
        };
        Some(Account { value: left.value, other: right.value, because: left.because.or(right.because) })
    }

    fn account_of_side(&mut self, slot: u32) -> Account {
        match self.recall_of(slot) {
            Some(recall) => self.account_of_recall(recall),
            None => Account { value: written(self, slot.into()), ..Account::default() },
        }
    }

    fn account_of_recall(&mut self, number: u32) -> Account {
        let Some(recall) = row(self.view.tables.recalls, number) else { return Account::default() };
        if RecallTag::from_number(recall.operator) == Some(RecallTag::Formerly) {
            let sentence = |history: &History<'_>, selection: &Selection<'_>, time| {
                Some(sentence(history, selection, time))
            };
            let because = self.read(&recall, &sentence).ok().and_then(Result::ok);
            return Account { because, ..Account::default() };
        }
        let recalled = self.value_of(number).ok().and_then(Result::ok);
        let value = match &recalled {
            Some(Recalled::Number(text)) => Some(text.clone()),
            Some(Recalled::Text(list)) => {
                list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::to_owned)
            }
            _ => None,
        };
        let is_last = RecallTag::from_number(recall.operator) == Some(RecallTag::Last);
        let because = match &recalled {
            _ if value.is_some() => None,
            Some(Recalled::Hash(_)) => Some("of the earlier value only a hash is kept"),
            _ if is_last => Some("no such event is recorded, or it has no value there"),
            _ => Some("more events are in it than are kept"),
        };
        let because = because.map(str::to_owned);
        Account { value, other: None, because }
    }
}

/// When the last event of a pattern was, and the last one of each anchor.
fn sentence(history: &History<'_>, selection: &Selection<'_>, time: u64) -> String {
    let Some(last) = history.latest(selection) else {
        let other = passed_over(history, selection, time).unwrap_or_default();
        let start = history.watched_since(selection.pattern.id);
        let since =
            (start.number > 1).then(|| format!("; the policy has watched from {} on", when(start, time)));
        return format!("no such event is recorded{other}{}", since.unwrap_or_default());
    };
    let mut text = format!("the last one was {}", when(last, time));
    for anchor in selection.since {
        let alone = Selection { pattern: *anchor, within: None, since: &[], now: selection.now };
        text.push_str(&match history.latest(&alone) {
            Some(anchor) => format!(", the start of the selection {}", when(anchor, time)),
            None => ", and nothing started the selection anew".to_owned(),
        });
    }
    text
}

/// That an event matched, but for its outcome.
fn passed_over(history: &History<'_>, selection: &Selection<'_>, time: u64) -> Option<String> {
    let (stamp, verdict) = history.passed_over(selection)?;
    let outcome = match verdict {
        Verdict::Deny => "was denied",
        Verdict::Ask => "was asked about",
        Verdict::Allow => "was allowed",
        Verdict::None => "got no answer",
    };
    let is_tied = selection.pattern.keys != [Key::UNTIED];
    let values = if is_tied { ", with these or other values," } else { "" };
    Some(format!("; one that matches{values} {outcome} {}", when(stamp, time)))
}

/// The time and number of an event: `3 minutes ago (step 41)`.
fn when(stamp: Stamp, time: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second")];
    let passed = time.saturating_sub(stamp.time);
    let unit = UNITS.iter().find_map(|(unit, name)| {
        let count = passed.checked_div(*unit).filter(|count| *count > 0)?;
        Some(format!("{count} {name}{} ago", if count == 1 { "" } else { "s" }))
    });
    format!("{} (step {})", unit.unwrap_or_else(|| "just now".to_owned()), stamp.number)
}
