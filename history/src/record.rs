//! What one event adds to a partition.

use hookc_base::action::Kind;

use crate::clock::Reading;
use crate::decimal::{Decimal, add_numbers};
use crate::key::{Key, Keys};
use crate::limits;
use crate::shape::{CellId, Shape};

/// What hookc said about an event. Threads: `fail`, `abort` and a suspension deny, an escalation asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Verdict {
    /// No hook had a verdict.
    #[default]
    None,
    /// It was allowed.
    Allow,
    /// The user was asked.
    Ask,
    /// It was denied.
    Deny,
}

impl Verdict {
    /// All of them, each after its name.
    pub const CHOICES: &[(&str, Self)] =
        &[("none", Self::None), ("allow", Self::Allow), ("ask", Self::Ask), ("deny", Self::Deny)];
}

impl Verdict {
    /// The verdict of a matching hook whose action is of this kind; `None` if what executes the action decides.
    #[must_use]
    pub fn for_kind(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Deny | Kind::Fail | Kind::Abort | Kind::Suspend => Self::Deny,
            Kind::Ask | Kind::Escalate => Self::Ask,
            Kind::Allow => Self::Allow,
            Kind::Continue | Kind::Retry | Kind::EmitEvent | Kind::Modify | Kind::Inject | Kind::Log => {
                Self::None
            }
            _ => return None,
        })
    }
}

/// A set of verdicts: those with which a pattern matches an event. An outcome word of the language and whether the
/// event type can be prevented give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Verdicts(pub(crate) u8);

impl Verdicts {
    /// No verdict: the pattern does not match.
    pub const NEVER: Self = Self(0);
    /// `any E`; and `E` if the type of `E` cannot be prevented.
    pub const ANY: Self = Self(0b1111);
    /// `E`: what was not prevented.
    pub const HAPPENED: Self = Self(0b0111);
    /// `denied E`.
    pub const DENIED: Self = Self(0b1000);
    /// `asked E`.
    pub const ASKED: Self = Self(0b0100);
    /// `allowed E`.
    pub const ALLOWED: Self = Self(0b0010);

    /// The set of these bits, lowest first: none, allow, ask, deny. `None` if another bit is set.
    #[must_use]
    pub fn from_bits(bits: u8) -> Option<Self> {
        (bits <= Self::ANY.0).then_some(Self(bits))
    }

    /// The bits; see [`Verdicts::from_bits`].
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether the verdict is in the set.
    #[must_use]
    pub fn contains(self, verdict: Verdict) -> bool {
        let bit = match verdict {
            Verdict::None => 1,
            Verdict::Allow => 2,
            Verdict::Ask => 4,
            Verdict::Deny => 8,
        };
        self.0 & bit != 0
    }

    /// The verdicts of either set: several patterns of one fact.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The verdicts of both sets.
    fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// What an event adds to one monitor: at most one feed for each monitor and event, whatever number of its patterns
/// match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// The monitor.
    pub cell: CellId,
    /// The monitor in full if the partition does not have it yet ([`crate::Partition::has`]).
    pub shape: Option<Shape>,
    /// The verdicts with which the event is certainly in the selection: its conditions are true.
    pub certain: Verdicts,
    /// Those with which it may be: its conditions are unknown.
    pub possible: Verdicts,
    /// The keys of the event: [`Key::UNTIED`] alone without a tie; else each combination of the results of the tie's
    /// past side, none if one is absent. More than [`limits::EVENT_KEYS`] make the monitor uncertain, not wrong.
    pub keys: Keys,
    /// What the monitor keeps of the event.
    pub value: FeedValue,
}

/// What a monitor keeps of an event, by its kind.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum FeedValue {
    /// Nothing but the time.
    #[default]
    Time,
    /// For each conjunct `not (TIES and ...)` the keys that it excludes: none if another part of it is false.
    Excluded(Vec<Vec<Key>>),
    /// The numbers at the path of `sum`; `None` is a number with too many digits. An event without a number has no
    /// feed.
    Numbers(Vec<Option<Decimal>>),
    /// Hashes of the values, or tuples of values, at the paths of `distinct`. An event without any has no feed.
    Values(Vec<Key>),
    /// The values at the paths of `last`; `None` is absent.
    Kept(Vec<Option<Value>>),
}

impl FeedValue {
    /// What a monitor keeps of two events that are one call.
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Numbers(mut numbers), Self::Numbers(more)) => {
                numbers.extend(more);
                Self::Numbers(numbers)
            }
            (Self::Values(mut values), Self::Values(more)) => {
                values.extend(more);
                Self::Values(values)
            }
            (Self::Excluded(mut conjuncts), Self::Excluded(more)) => {
                conjuncts.iter_mut().zip(more).for_each(|(keys, more)| keys.extend(more));
                Self::Excluded(conjuncts)
            }
            (Self::Time, value) | (value, _) => value,
        }
    }
}

/// A value of a past event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    pub(crate) hash: Key,
    pub(crate) text: Option<Box<str>>,
}

impl Value {
    /// A value: the hash of its canonical JSON text ([`crate::Secret::key`] of that one text), and the text of a number,
    /// or of a scalar that the policy keeps. A text of more than [`limits::TEXT`] bytes is not kept.
    #[must_use]
    pub fn new(hash: Key, text: Option<&str>) -> Self {
        Self { hash, text: text.filter(|text| text.len() <= limits::TEXT).map(Box::from) }
    }

    /// The hash of its canonical JSON text.
    #[must_use]
    pub fn hash(&self) -> Key {
        self.hash
    }

    /// Its canonical JSON text, if it is kept.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

/// The outcome of an event as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The verdict is known.
    Settled(Verdict),
    /// Handlers decide. Until they have, the event is one that happened without a verdict.
    Pending {
        /// The time after which the handlers no longer run.
        until: u64,
    },
}

/// The policies are others than those of the last record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// By which the partition recognizes the module.
    pub fingerprint: u64,
    /// The monitors of the partition that the module has too, with its capacities. The others are no longer used.
    pub kept: Vec<Shape>,
}

/// What one event adds to a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its time on the history clock; an earlier one than the last is raised to it.
    pub time: u64,
    /// The clocks when it was recorded, if the program has any.
    pub reading: Option<Reading>,
    /// The use of a tool that the event is about: another record with this key would be of the same event.
    pub tool_use: Option<Key>,
    /// What was decided.
    pub outcome: Outcome,
    /// A change of the policies since the last record: see [`crate::Partition::change`].
    pub change: Option<Change>,
    /// What it adds to the monitors.
    pub feeds: Vec<Feed>,
}

impl Record {
    /// A record of an event without a verdict that no monitor looks at.
    #[must_use]
    pub fn new(time: u64) -> Self {
        Self {
            time,
            reading: None,
            tool_use: None,
            outcome: Outcome::Settled(Verdict::None),
            change: None,
            feeds: Vec::new(),
        }
    }

    /// This record and that of another event that describes the same call, such as another file of one patch: one
    /// record, with the time and the outcome of this one.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.change = self.change.or(other.change);
        self.feeds.sort_by_key(|feed| feed.cell);
        let known = self.feeds.len();
        for mut feed in other.feeds {
            let found =
                self.feeds.get(..known).map(|feeds| feeds.binary_search_by_key(&feed.cell, |feed| feed.cell));
            match found {
                Some(Ok(at)) => {
                    if let Some(first) = self.feeds.get_mut(at) {
                        let both = std::mem::take(&mut first.value).join(std::mem::take(&mut feed.value));
                        first.unite(feed);
                        first.set_value(both);
                    }
                }
                _ => self.feeds.push(feed),
            }
        }
        self
    }

    /// Whether it adds the same with either verdict.
    pub(crate) fn is_same(&self, one: Verdict, other: Verdict) -> bool {
        self.feeds.iter().all(|feed| feed.certainty(one) == feed.certainty(other))
    }

    /// The verdict as others see it.
    pub(crate) fn visible(&self) -> Verdict {
        match self.outcome {
            Outcome::Settled(verdict) => verdict,
            Outcome::Pending { .. } => Verdict::None,
        }
    }
}

/// Each key once.
fn distinct(mut keys: Vec<Key>) -> Vec<Key> {
    keys.sort_unstable();
    keys.dedup();
    keys
}

impl Feed {
    /// A feed of a monitor that is not tied, by an event whose conditions are true.
    #[must_use]
    pub fn untied(cell: CellId, verdicts: Verdicts) -> Self {
        Self {
            cell,
            shape: None,
            certain: verdicts,
            possible: Verdicts::NEVER,
            keys: Keys::UNTIED,
            value: FeedValue::Time,
        }
    }

    /// With the monitor in full.
    #[must_use]
    pub fn with_shape(mut self, shape: Option<Shape>) -> Self {
        self.shape = shape;
        self
    }

    /// With these keys. Of more than [`limits::EVENT_KEYS`] so many are kept that they are too many.
    #[must_use]
    pub fn with_keys(mut self, keys: Keys) -> Self {
        self.keys = keys;
        self.bound_keys();
        self
    }

    fn bound_keys(&mut self) {
        let most = limits::EVENT_KEYS.saturating_add(1);
        if let Some(kept) = self.keys.get(..most).filter(|_| self.keys.len() > most) {
            self.keys = kept.to_vec().into();
        }
    }

    /// By an event that may match any key.
    #[must_use]
    pub fn with_any_key(self) -> Self {
        let keys = (0..=limits::EVENT_KEYS).filter_map(|number| Some(Key([u8::try_from(number).ok()?; 16])));
        self.with_keys(keys.collect::<Vec<_>>().into())
    }

    /// With this value. More than [`limits::EVENT_KEYS`] different values are too many: whether the
    /// event is in the selection is then uncertain.
    #[must_use]
    pub fn with_value(mut self, value: FeedValue) -> Self {
        self.set_value(value);
        self
    }

    fn set_value(&mut self, value: FeedValue) {
        self.value = match value {
            FeedValue::Values(values) => {
                let mut values = distinct(values);
                if values.len() > limits::EVENT_KEYS {
                    (self.certain, self.possible) = (Verdicts::NEVER, self.certain.union(self.possible));
                    values.clear();
                }
                FeedValue::Values(values)
            }
            FeedValue::Numbers(numbers) => FeedValue::Numbers(vec![add_numbers(Decimal::ZERO, &numbers)]),
            FeedValue::Excluded(conjuncts) => {
                let bounded = |keys: Vec<Key>| {
                    let mut keys = distinct(keys);
                    keys.truncate(limits::EXCLUDED.saturating_add(1));
                    keys
                };
                FeedValue::Excluded(conjuncts.into_iter().map(bounded).collect())
            }
            other => other,
        };
    }

    /// Adds what another pattern of the same monitor says about the same event. If the keys differ, each is only as
    /// certain as the least certain one.
    pub fn unite(&mut self, other: Self) {
        let certain = self.certain.union(other.certain);
        self.possible = self.possible.union(other.possible);
        if self.keys != other.keys && self.certain != other.certain {
            (self.certain, self.possible) =
                (self.certain.intersection(other.certain), self.possible.union(certain));
        } else {
            self.certain = certain;
        }
        self.shape = self.shape.take().or(other.shape);
        if self.keys != other.keys {
            self.keys = [&*self.keys, &*other.keys].concat().into();
            self.bound_keys();
        }
        if self.value == FeedValue::Time {
            self.value = other.value;
        }
    }

    /// Whether the event is in the selection, with this verdict: certainly, possibly, or `None`.
    pub(crate) fn certainty(&self, verdict: Verdict) -> Option<bool> {
        if self.certain.contains(verdict) {
            return Some(true);
        }
        self.possible.contains(verdict).then_some(false)
    }

    /// Whether a conjunct `not (TIES and ...)` certainly excludes the event; `current` are the keys of the conjuncts.
    pub(crate) fn is_excluded(&self, current: &[Vec<Key>]) -> bool {
        let FeedValue::Excluded(conjuncts) = &self.value else { return false };
        conjuncts.iter().zip(current).any(|(excluded, keys)| keys.iter().any(|key| excluded.contains(key)))
    }

    /// Whether it has more keys than a monitor looks at.
    pub(crate) fn is_crowded(&self, most: usize) -> bool {
        self.keys.len() > most.min(limits::EVENT_KEYS)
    }
}
