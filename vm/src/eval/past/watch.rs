//! What an event adds to the cells that watch for it.

use hookc_base::{MonitorTag, PartitionTag};
use hookc_history::limits::TEXT;
use hookc_history::{CellId, Decimal, Feed, FeedValue, Keys, Secret, Value, Verdicts};

use super::super::kleene::Kleene;
use super::super::machine::Machine;
use crate::event::Item;
use crate::limits::HISTORY_FEEDS;
use crate::module::row;
use crate::rows::{Cell, HookTest, NONE, Tie, TieValue, Watch};
use crate::stop::StopReason;

/// What a watch finds of an event: what its cell keeps, and whether that is certain.
struct Found {
    value: FeedValue,
    certain: bool,
}

/// What an event that cannot be read has.
const UNREADABLE: Found = Found { value: FeedValue::Time, certain: false };

impl Machine<'_> {
    /// Adds what the event adds to the cell of a watch.
    pub(in crate::eval) fn record(&mut self, number: u32) -> Result<(), StopReason> {
        let cell = row(self.view.tables.watches, number).ok_or(StopReason::Unverified)?.cell.get();
        let known = self.past.memory.feeds.remove(&number);
        let feed = match known {
            Some(feed) => feed,
            None => self.new_feed(number)?,
        };
        let Some(feed) = feed else { return Ok(()) };
        let recorded = &mut self.past.memory.recorded;
        match recorded.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(at) => {
                if let Some((_, known)) = recorded.get_mut(at) {
                    known.unite(feed);
                }
            }
            Err(_) if recorded.len() >= HISTORY_FEEDS => return Err(StopReason::Feeds),
            Err(at) => recorded.insert(at, (cell, feed)),
        }
        Ok(())
    }

    /// What the event adds to the cell of a watch; `None` for nothing.
    pub(super) fn feed(&mut self, number: u32) -> Result<Option<Feed>, StopReason> {
        if let Some(feed) = self.past.memory.feeds.get(&number) {
            return Ok(feed.clone());
        }
        let feed = self.new_feed(number)?;
        self.past.memory.feeds.insert(number, feed.clone());
        Ok(feed)
    }

    fn new_feed(&mut self, number: u32) -> Result<Option<Feed>, StopReason> {
        let watch = row(self.view.tables.watches, number).ok_or(StopReason::Unverified)?;
        let cell = row(self.view.tables.cells, watch.cell.get()).ok_or(StopReason::Unverified)?;
        let key = PartitionTag::from_number(cell.partition).ok_or(StopReason::Unverified)?;
        let Ok((_, _, secret)) = self.part(key) else { return Ok(None) };
        let mut certain = match self.watched(watch.test())? {
            Some(false) => return Ok(None),
            truth => truth.is_some(),
        };
        let keys = match watch.tie.get() {
            NONE => Some(Keys::UNTIED),
            tie => or_unreadable(self.keys(tie, secret), None)?,
        };
        if keys.as_ref().is_some_and(|keys| keys.is_empty()) {
            return Ok(None);
        }
        let found = or_unreadable(self.kept(&watch, &cell, secret), Some(UNREADABLE))?;
        let Some(found) = found else { return Ok(None) };
        certain &= found.certain;
        let verdicts = watch.meant().ok_or(StopReason::Unverified)?;
        let mut feed = Feed::untied(CellId(cell.id), if certain { verdicts } else { Verdicts::NEVER });
        feed.possible = if certain { Verdicts::NEVER } else { verdicts };
        feed = match keys {
            Some(keys) => feed.with_keys(keys),
            None => feed.with_any_key(),
        };
        Ok(Some(feed.with_value(found.value)))
    }

    /// Whether a condition of a watch is true; `None` if it is unknown, or reaches a limit.
    fn watched(&mut self, test: HookTest) -> Result<Option<bool>, StopReason> {
        let last = self.last;
        let truth = self.truth(test);
        self.last = last;
        match truth {
            Ok(Kleene::True) => Ok(Some(true)),
            Ok(Kleene::False) => Ok(Some(false)),
            Ok(Kleene::Unknown(_)) => Ok(None),
            Err(StopReason::Unverified) => Err(StopReason::Unverified),
            Err(_) => Ok(None),
        }
    }

    /// What a cell keeps of the event; `None` if the event adds nothing to it.
    fn kept(&mut self, watch: &Watch, cell: &Cell, secret: &Secret) -> Result<Option<Found>, StopReason> {
        let values = row(self.view.tables.ties, watch.values.get());
        let certain = |value: FeedValue| Ok(Some(Found { value, certain: true }));
        match MonitorTag::from_number(cell.kind).zip(values) {
            Some((MonitorTag::Total | MonitorTag::Sums, tie)) => self.numbers(&tie),
            Some((MonitorTag::Distinct, tie)) => match self.combined(&tie, true, secret)? {
                Some(keys) if keys.is_empty() => Ok(None),
                Some(keys) => certain(FeedValue::Values(keys.to_vec())),
                None => Ok(Some(UNREADABLE)),
            },
            Some((MonitorTag::Last, tie)) => self.last_values(&tie, cell.kept.get(), secret).map(Some),
            _ if cell.kind == MonitorTag::Differing.number() => self.excluded(watch, secret).map(Some),
            _ => certain(FeedValue::Time),
        }
    }

    /// The sum of the numbers of an event.
    fn numbers(&mut self, tie: &Tie) -> Result<Option<Found>, StopReason> {
        let (mut has_numbers, mut sum) = (false, Some(Decimal::ZERO));
        for value in self.view.tables.indices_of(tie.values) {
            self.each_value(TieValue::from_number(value.get()), &mut |item| {
                if let Item::Num(text) = item {
                    has_numbers = true;
                    sum = sum.zip(Decimal::parse(text)).and_then(|(sum, number)| sum.plus(number));
                }
                true
            })?;
        }
        Ok(has_numbers.then(|| Found { value: FeedValue::Numbers(vec![sum]), certain: true }))
    }

    /// The values of an event that `last` reads. Numbers are kept, and the scalars that the policy names.
    fn last_values(&mut self, tie: &Tie, kept: u32, secret: &Secret) -> Result<Found, StopReason> {
        let (mut values, mut certain) = (Vec::new(), true);
        for (at, value) in self.view.tables.indices_of(tie.values).iter().enumerate() {
            let is_named = kept.checked_shr(u32::try_from(at).unwrap_or(u32::MAX)).unwrap_or(0) & 1 != 0;
            let mut found = None;
            self.each_value(TieValue::from_number(value.get()), &mut |item| {
                let mut text = String::new();
                let keeps = match item {
                    Item::Absent => return false,
                    Item::Num(_) => true,
                    Item::Array(_) | Item::Object(_) => false,
                    Item::Null | Item::Bool(_) | Item::Str(_) => is_named,
                };
                item.write_canonical(&mut text);
                // A number without its text would pass for another value.
                certain &= !matches!(item, Item::Num(_)) || text.len() <= TEXT;
                let hash = secret.key([text.as_str()]);
                found = Some(Value::new(hash, Some(text.as_str()).filter(|_| keeps)));
                false
            })?;
            values.push(found);
        }
        Ok(Found { value: FeedValue::Kept(values), certain })
    }

    /// For each conjunct, the keys that exclude the event.
    fn excluded(&mut self, watch: &Watch, secret: &Secret) -> Result<Found, StopReason> {
        let (mut excluded, mut certain) = (Vec::new(), true);
        for pair in self.view.tables.indices_of(watch.excluded).chunks_exact(2) {
            let [test, tie] = pair else { continue };
            let truth = match test.get() {
                NONE => Some(true),
                test => self.watched(HookTest::from_number(test))?,
            };
            certain &= truth.is_some();
            // What may not exclude the event does not: its feed is uncertain.
            excluded.push(match truth {
                Some(false) | None => Vec::new(),
                Some(true) => match self.keys(tie.get(), secret)? {
                    Some(keys) => keys.to_vec(),
                    None => return Ok(UNREADABLE),
                },
            });
        }
        Ok(Found { value: FeedValue::Excluded(excluded), certain })
    }
}

/// What was read, or `other` if a limit was reached on the way.
fn or_unreadable<T>(read: Result<T, StopReason>, other: T) -> Result<T, StopReason> {
    match read {
        Err(StopReason::Unverified) | Ok(_) => read,
        Err(_) => Ok(other),
    }
}
