//! `hookc run` for a protocol with messages: an answer to each line of standard input, until it ends.
//!
//! Each event is decided like one of a process of its own: by the policy as it is then, in a call of its own. The event of
//! an agent that starts a process for each one is answered in that agent's form, and ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use hookc_runtime::adapter::rpc::{self, Message};
use hookc_runtime::adapter::{self, Adapter};
use hookc_runtime::bridge::{self, Call, Finished, Invocation};
use hookc_runtime::process;
use hookc_schema::agents::Rpc;
use hookc_schema::terminal;
use hookc_vm::limits::EVENT_BYTES;

use super::{Policy, SOON, record};
use crate::exit::{Exit, Failure, Outcome};
use crate::stdio::{self, Line};
use crate::{out, signals, state};

/// The most that a message has around its event.
const ENVELOPE: usize = 64 << 10;

/// The messages of a process.
pub(super) struct Lines<'s> {
    pub(super) host: &'static dyn Adapter,
    pub(super) rpc: &'static Rpc,
    pub(super) policy: Policy<'s>,
    /// Its policies and layers, each by its real path.
    pub(super) policies: &'s [String],
    /// A call that begins now.
    pub(super) invocation: &'s (dyn Fn() -> Invocation<'s> + Sync),
}

impl Lines<'_> {
    /// Answers until the input ends or a signal asks for the end; a decision that is being made then is answered.
    pub(super) fn run(&self) -> Outcome {
        let is_over = AtomicBool::new(false);
        let end = |signal, over: &Receiver<()>| {
            is_over.store(true, Ordering::SeqCst);
            process::terminate_all();
            if over.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
                std::process::exit(signals::status(signal).into());
            }
        };
        state::report_disabled();
        bridge::record_panics();
        signals::watched(signals::ENDING, end, || {
            while !is_over.load(Ordering::SeqCst)
                && let Some(line) = stdio::line(EVENT_BYTES + ENVELOPE)?
            {
                match &line {
                    Line::Whole(event) if adapter::is_of_another(self.host, event) => {
                        return self.answer_alone(event);
                    }
                    _ => self.answer(&line)?,
                }
            }
            Ok(Exit::Done)
        })
    }

    /// Answers an event without a message around it.
    fn answer_alone(&self, event: &[u8]) -> Outcome {
        let mut status = 0;
        self.decide(event.to_vec(), |finished| {
            status = finished.answer.code;
            out::answer(&finished.answer.stdout)
        })?;
        Ok(Exit::Host(status))
    }

    fn answer(&self, sent: &Line) -> Result<(), Failure> {
        let message = match sent {
            Line::TooLong => Message::Rejected(rpc::too_long(self.rpc, EVENT_BYTES + ENVELOPE)),
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => return Ok(()),
            Line::Whole(bytes) => rpc::read(self.rpc, bytes),
        };
        match message {
            Message::Intercept(event, request) => {
                self.decide(event, |finished| line(&request.response(&finished.answer)))
            }
            Message::Observe(event) => self.decide(event, |_| Ok(())),
            Message::Rejected(error) => line(&error),
            Message::Ignored(why) => {
                out::complain(&format!("hookc: a notification is ignored: {why}"));
                Ok(())
            }
        }
    }

    /// Decides about an event, answers and writes the log.
    fn decide(
        &self,
        event: Vec<u8>,
        answer: impl FnOnce(&Finished) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let call = Call::new((self.invocation)());
        let finished = call.run(event, || self.policy.module());
        let written = answer(&finished);
        out::message(terminal::escape_block(&finished.answer.stderr).as_bytes());
        record(self.policy.global, &self.policy.args.logging, |write| {
            call.log(&finished, self.policies.to_vec(), write);
        });
        written
    }
}

/// Writes a message.
fn line(message: &str) -> Result<(), Failure> {
    out::json(&format!("{message}\n"))
}
