//! Every limit of the runtime, each with its reason.

use std::time::Duration;

/// Bytes kept of what a handler prints, for each of its two outputs: an answer
/// is a few kilobytes, and a flood must not fill memory.
pub const OUTPUT_BYTES: usize = 1 << 20;
/// Bytes of what a script of a skill gives back, as JSON: what an event may have.
pub const ANSWER_BYTES: usize = 16 << 20;
/// Values of an event, or of a member of it, that are made a tree of: up to some 300
/// bytes each, so that a tree takes less than three times the largest event.
pub const EVENT_VALUES: usize = 1 << 17;
/// Bytes of one argument or of one `NAME=value`, its closing zero included:
/// what Linux passes to a program (`MAX_ARG_STRLEN`).
pub const ARGUMENT_BYTES: usize = 128 << 10;
/// How long a handler may run that says nothing about it.
pub const TIMEOUT: Duration = Duration::from_secs(600);
/// The longest timeout that is kept; a longer one is this one.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(7 * 24 * 3600);
/// From SIGTERM to SIGKILL.
pub const KILL_AFTER: Duration = Duration::from_secs(2);
/// How long outputs may stay open after the handler itself has ended.
pub const DRAIN: Duration = Duration::from_millis(250);
/// How long what is left in the pipes is read after the group was killed.
pub const LAST_DRAIN: Duration = Duration::from_millis(50);
/// How long a line of the log waits for its turn to be written: others take
/// microseconds, and a caller waits for the end of this process.
pub const LOG_TURN: Duration = Duration::from_secs(1);
/// Handlers of one event that run at once.
pub const WORKERS: usize = 8;
/// How long a named pipe may lack a writer: whoever made it on purpose opens it at
/// once, and a hook must answer before its agent gives up.
pub const PIPE_WRITER: Duration = Duration::from_secs(2);
/// How long a pipe that somebody writes to may give nothing.
pub const PIPE_IDLE: Duration = Duration::from_secs(10);

/// A timeout of so many seconds; 0 and none mean `default`.
pub(crate) fn timeout(seconds: Option<f64>, default: Duration) -> Duration {
    let own = seconds
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    own.unwrap_or(default).min(LONGEST_TIMEOUT)
}
