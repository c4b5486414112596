//! What hookc remembers of earlier events: monitors of bounded size.
//!
//! A policy can ask about the past: "was a file edited since the tests passed?" The events are not stored. For each such
//! selection there is a *monitor*, which keeps just enough to answer: the time and number of the last edit, and those of
//! the last test. A [`Partition`] has the monitors of one session (or agent, project, user). For each event, the caller
//! reads the selections, decides, and adds a [`Record`]:
//!
//! ```
//! use hookc_history::{CellId, Feed, Kind, Limits, Partition, Record, Selection, Shape, Tied, Truth, Verdicts};
//!
//! // Two monitors: the last edit, and the last test.
//! let (edited, tested) = (CellId::from_source(b"edited"), CellId::from_source(b"tested"));
//! let latest = Kind::Recent { capacity: 1 };
//! let shapes = [edited, tested].map(|id| Shape { id, kind: latest, anchors: Vec::new(), retention: None });
//!
//! // formerly(edited since tested)
//! let since = [Tied::untied(tested, latest)];
//! let selection = Selection { pattern: Tied::untied(edited, latest), within: None, since: &since, now: None };
//!
//! let mut session = Partition::new(Limits::default());
//! let mut event = |time: u64, matches: CellId| {
//!     let formerly = session.at(time).formerly(&selection);
//!     // The first feed of a monitor has its shape.
//!     let shape = shapes.iter().find(|shape| shape.id == matches && !session.has(matches));
//!     let feeds = vec![Feed::untied(matches, Verdicts::HAPPENED).with_shape(shape.cloned())];
//!     session.apply(Record { feeds, ..Record::new(time) });
//!     formerly
//! };
//! assert_eq!(event(1_000, edited), Truth::False);
//! assert_eq!(event(2_000, tested), Truth::True);
//! assert_eq!(event(3_000, edited), Truth::False, "tested since");
//!
//! // The state is bytes, for another process or another day.
//! let bytes = session.encode();
//! let restored = Partition::decode(&bytes, Limits::default())?.partition;
//! assert_eq!(restored.at(4_000).formerly(&selection), Truth::True);
//! # Ok::<(), hookc_history::DecodeError>(())
//! ```
//!
//! # Monitors
//! [`Kind`] lists what a monitor can keep. It does so for each value of its *tie*, the paths by which a past event must
//! equal the current one. A value is a [`Key`], a hash with the secret of the store: the state has no text of events,
//! except numbers, and what a policy asks to keep.
//!
//! A window ([`Selection::within`]) and the anchors of `since` are applied when a monitor is read. So policies with
//! different windows share a monitor, and a changed window keeps its history.
//!
//! # Unknown, never wrong
//! Every read is right or unknown: [`Truth::Unknown`], [`Bounds`] that are not exact, or no value. It is unknown where
//! something that the state no longer has could change the answer:
//! - a monitor has too many keys, and the one in question may have been dropped ([`limits`]);
//! - more events than are kept are in the window;
//! - a condition about a past event was itself unknown;
//! - the start of the partition was not recorded ([`Partition::unseen`]);
//! - a policy came back after a time in which its monitor saw nothing.
//!
//! # Outcomes
//! A [`Feed`] says with which [`Verdicts`] an event is in a selection: a denied call did not happen, so
//! [`Verdicts::HAPPENED`] leaves it out, and [`Verdicts::DENIED`] has it alone. While handlers decide, a record is
//! [`Outcome::Pending`]: others see the event as one that happened. [`Partition::settle`] says what became of it.
//!
//! # Time
//! Times are milliseconds of a clock that never goes back. [`Partition::clock`] makes one from the clocks of the
//! machine, whatever is done to them; an embedding program may pass any other.
//!
//! # Bytes
//! [`Partition::decode`] takes any bytes and verifies them. A record is appended to the bytes of its partition
//! ([`Record::encode`]). `hookc_runtime::history` does so with files and locks.

#![forbid(unsafe_code)]
#![warn(clippy::arithmetic_side_effects)]

mod cell;
mod cells;
mod clock;
mod codec;
mod decimal;
mod index;
mod key;
pub mod limits;
mod monitor;
mod partition;
mod read;
mod record;
mod shape;
mod stamp;
mod state;

pub use clock::Reading;
pub use codec::{DecodeError, Decoded, ToolUse, encode_settlement};
pub use decimal::Decimal;
pub use key::{Key, Keys, Secret};
pub use limits::Limits;
pub use partition::Partition;
pub use read::{History, LastValue, Selection, Tied};
pub use record::{Change, Feed, FeedValue, Outcome, Record, Value, Verdict, Verdicts};
pub use shape::{CellId, Kind, Shape, fingerprint};
pub use stamp::{Bounds, Stamp, Truth};
