//! Sessions: what happened before decides conditions about earlier events.

use hookc::{Engine, Policy, Session};
use hookc_bindings::{Failure, Options, Status, verdict};

use crate::instance::{Input, Instance};

/// The id of a session in its engine, which has no other.
const ID: &str = "session";

impl Instance {
    /// A session under a module, from a snapshot unless it is empty; its handle.
    pub(crate) fn session_open(&mut self, module: u32, snapshot: Input) -> Result<u32, Failure> {
        let engine = Engine::new(Policy::from(self.module(module)?.clone()));
        let snapshot = self.buffers.read(snapshot.0, snapshot.1)?;
        let session = if snapshot.is_empty() {
            engine.session(ID)
        } else {
            engine.restore(ID, snapshot).map_err(|error| Failure::snapshot(&error))?
        };
        let handle = self.next_handle()?;
        self.sessions.insert(handle, session);
        Ok(handle)
    }

    /// The step of an event, and the decision about it as JSON.
    pub(crate) fn session_decide(
        &mut self,
        handle: u32,
        event: Input,
        options: Input,
    ) -> Result<(u32, Vec<u8>), Failure> {
        let session = self.session(handle)?;
        let event = self.buffers.read(event.0, event.1)?;
        let options = Options::read(self.buffers.read(options.0, options.1)?)?;
        let (options, time) = options.decide_at()?;
        let decided = session.decide_at(event, time, &options);
        let decision = decided.map_err(|error| Failure::event(&error, event))?;
        let step = decision.step().and_then(|step| u32::try_from(step).ok()).unwrap_or_default();
        Ok((step, decision.to_json().into_bytes()))
    }

    /// Sets the verdict about an event that waits: 1, and 0 if it does not wait.
    pub(crate) fn session_settle(&mut self, handle: u32, step: u32, name: Input) -> Result<u32, Failure> {
        let session = self.session(handle)?;
        let name = String::from_utf8_lossy(self.buffers.read(name.0, name.1)?);
        Ok(session.settle(step.into(), verdict(&name)?).into())
    }

    /// The state of a session as bytes.
    pub(crate) fn session_snapshot(&self, handle: u32) -> Result<Vec<u8>, Failure> {
        Ok(self.session(handle)?.snapshot())
    }

    pub(crate) fn session_free(&mut self, handle: u32) -> Result<(), Failure> {
        self.sessions.remove(&handle).map(drop).ok_or_else(|| unknown(handle))
    }

    fn session(&self, handle: u32) -> Result<&Session, Failure> {
        self.sessions.get(&handle).ok_or_else(|| unknown(handle))
    }
}

fn unknown(handle: u32) -> Failure {
    Failure::new(Status::Handle, format!("no session has the handle {handle}"))
}
