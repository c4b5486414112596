//! Every limit of the runtime, each with its reason.

use std::time::Duration;

/// Bytes that are kept of each output of a handler. An answer has a few kilobytes, and an endless output must not
/// exhaust memory.
pub const OUTPUT_BYTES: usize = 1 << 20;
/// Bytes of a skill script's result as JSON: as large as an event can be.
pub const ANSWER_BYTES: usize = 16 << 20;
/// Values of an event, or of one of its members, that become a tree: up to about 300 bytes each, so
/// that a tree needs less than three times the largest event.
pub const EVENT_VALUES: usize = 1 << 17;
/// Bytes of one argument or of one `NAME=value`, with the zero byte at its end: the limit of Linux (`MAX_ARG_STRLEN`).
pub const ARGUMENT_BYTES: usize = 128 << 10;
/// The default timeout of a handler.
pub const TIMEOUT: Duration = Duration::from_secs(600);
/// The longest timeout; a longer one is reduced to this.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(7 * 24 * 3600);
/// From SIGTERM to SIGKILL.
pub const KILL_GRACE: Duration = Duration::from_secs(2);
/// How long outputs can stay open after the end of their handler.
pub const DRAIN: Duration = Duration::from_millis(250);
/// How long pipes are read after their process group was killed.
pub const DRAIN_AFTER_KILL: Duration = Duration::from_millis(50);
/// How long a line of the log waits for the lock. Other writers hold it for microseconds, and the caller waits for this
/// process to end.
pub const LOG_LOCK_WAIT: Duration = Duration::from_secs(1);
/// How long an event waits for another program that has locked its history. Programs keep the lock for about a
/// millisecond.
pub const HISTORY_LOCK_WAIT: Duration = Duration::from_secs(1);
/// Bytes of the largest file of a history: a snapshot of the largest partition, and as much again for records.
pub const HISTORY_FILE_BYTES: u64 = 16 << 20;
/// From so many records on, a new snapshot of a history is written: reading them again takes longer than the snapshot.
pub const HISTORY_RECORDS: usize = 64;
/// How long an event waits for its outcome after its handlers must have ended: until the outcome is written, on a machine
/// with much to do. Then nobody is there any more who could write it.
pub const HISTORY_GRACE: Duration = Duration::from_secs(60);
/// How often an event is decided if other programs change its history meanwhile.
pub const HISTORY_TRIES: usize = 8;
/// From so many bytes of records on, a new snapshot of a history is written.
pub const HISTORY_RECORD_BYTES: u64 = 16 << 10;
/// Files of histories without an event for so long are removed: no selection reaches farther back.
pub const HISTORY_RETENTION: Duration = Duration::from_millis(hookc_history::limits::WINDOW);
/// The most files of histories that are removed at the start of a session.
pub const HISTORY_REMOVED: usize = 100;
/// The longest window of `hookc pause`. A person who needs more time opens another one, so that none stays open by mistake.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(3600);
/// How long the result of a call is repeated for a second call about the same use of a tool: an agent starts both at once.
pub const REPEAT_WINDOW: Duration = Duration::from_secs(5);
/// How long a second call waits for the first one, whose handlers may take their time. Then it runs them itself.
pub const REPEAT_WAIT: Duration = Duration::from_secs(20);
/// How far the clock of the machine that signs a module can be ahead of the local clock. A signature from further in the
/// future means that the local clock is wrong, and cannot tell whether the signature has expired.
pub const CLOCK_SKEW: Duration = Duration::from_secs(300);
/// Handlers of one event that run concurrently.
pub const WORKERS: usize = 8;
/// The depth of nested actions: a host can handle another event while it executes an action, and a handler can call
/// `hookc run`. Endless recursion would overflow the stack, or start processes until the machine is full.
pub const NESTED_ACTIONS: usize = 16;
/// The nested actions of one event in total: with two hooks that each handle an event of their own there would be 2^16
/// at the depth of [`NESTED_ACTIONS`]. A sub-agent that runs within an action handles several thousand events.
pub const NESTED_TOTAL: usize = 10_000;
/// How long a named pipe can lack a writer: an intended writer opens it immediately, and a hook
/// must answer before its agent gives up.
pub const PIPE_OPEN_WAIT: Duration = Duration::from_secs(2);
/// How long a pipe with a writer can be silent.
pub const PIPE_IDLE: Duration = Duration::from_secs(10);

/// A timeout of so many seconds; 0 and none mean `default`.
pub(crate) fn timeout(seconds: Option<f64>, default: Duration) -> Duration {
    let limit = seconds
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.unwrap_or(default).min(LONGEST_TIMEOUT)
}
