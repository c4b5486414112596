//! The histories that a decision reads, and why one is unknown.

use std::fmt;

use hookc_base::PartitionTag;
use hookc_history::{Partition, Secret};

/// The histories that a decision reads and that its record is for: one for each [`PartitionTag`]. Without them every
/// condition about earlier events is unknown, and nothing is recorded.
///
/// ```
/// use hookc_vm::{DecideOptions, Histories, Module, PartitionTag, Scratch};
/// use hookc_history::{Limits, Partition, Secret};
///
/// # let module = Module::load(include_bytes!("../examples/policy.hookc"))?;
/// let (secret, session) = (Secret::new([7; 32]), Partition::new(Limits::default()));
/// let histories = Histories::new(&secret).with(PartitionTag::Session, &session, 1_000);
/// let options = DecideOptions::default().history(&histories);
/// let mut scratch = Scratch::new();
/// let decision = module.decide(&mut scratch, br#"{"event_type": "Stop"}"#, &options)?;
/// // The policy has no condition about earlier events.
/// assert!(decision.unknown().next().is_none() && decision.record(PartitionTag::Session).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Histories<'a> {
    pub(crate) secret: &'a Secret,
    parts: [Part<'a>; 4],
}

/// The history of one partition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    Known { partition: &'a Partition, time: u64 },
    Unknown(&'a str),
}

/// Why a history is not there if nobody says more.
const NONE_KEPT: &str = "no history is kept";

impl<'a> Histories<'a> {
    /// Histories that are all unknown. The secret is that of the store: values are compared by hashes with it.
    #[must_use]
    pub fn new(secret: &'a Secret) -> Self {
        Self { secret, parts: [Part::Unknown(NONE_KEPT); 4] }
    }

    /// With the history of a partition, for an event at a time of its clock in milliseconds.
    #[must_use]
    pub fn with(mut self, key: PartitionTag, partition: &'a Partition, time: u64) -> Self {
        self.set(key, Part::Known { partition, time: time.max(partition.time()) });
        self
    }

    /// Without the history of a partition, and why it is unknown: "another program keeps it locked".
    #[must_use]
    pub fn without(mut self, key: PartitionTag, cause: &'a str) -> Self {
        self.set(key, Part::Unknown(cause));
        self
    }

    fn set(&mut self, key: PartitionTag, part: Part<'a>) {
        if let Some(place) = self.parts.get_mut(usize::from(key.number())) {
            *place = part;
        }
    }

    pub(crate) fn part(&self, key: PartitionTag) -> Part<'a> {
        self.parts.get(usize::from(key.number())).copied().unwrap_or(Part::Unknown(NONE_KEPT))
    }
}

/// Why a condition about earlier events is unknown.
#[derive(Clone, Copy, Debug)]
pub struct Unknown<'a> {
    pub(crate) cause: Cause,
    pub(crate) histories: Option<&'a Histories<'a>>,
}

/// The partition whose history does not decide, and why it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) key: PartitionTag,
    pub(crate) why: Why,
}

/// Why a read of the history has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The history is not there.
    Unavailable,
    /// Something that the state no longer has could change the answer.
    Incomplete,
    /// The event has too many values that an earlier one can equal.
    Crowded,
    /// The text of the value is not kept.
    NotKept,
}

impl Unknown<'_> {
    /// Whose history does not decide.
    #[must_use]
    pub fn partition(&self) -> PartitionTag {
        self.cause.key
    }
}

impl fmt::Display for Unknown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.cause.key.name();
        match self.cause.why {
            Why::Unavailable => {
                let cause = match self.histories.map(|histories| histories.part(self.cause.key)) {
                    Some(Part::Unknown(cause)) => cause,
                    _ => NONE_KEPT,
                };
                write!(f, "the history of the {key} is unknown: {cause}")
            }
            Why::Incomplete => write!(f, "the history of the {key} no longer has what decides this"),
            Why::Crowded => {
                write!(f, "the event has too many values to look up in the history of the {key}")
            }
            Why::NotKept => write!(f, "the history of the {key} does not keep the text that decides this"),
        }
    }
}
