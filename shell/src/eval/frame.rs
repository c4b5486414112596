//! What is around the command that is walked.

use super::{Done, Walk};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The program that starts it: a number of [`Walk::vias`].
    pub(super) via: u32,
    /// The command whose arguments are followed.
    pub(super) starting: Option<u32>,
    /// The descriptors that the redirections around it have opened.
    pub(super) scope: u32,
    /// A substitution takes its output.
    pub(super) captured: bool,
    /// Its output is asked for.
    pub(super) wants_output: bool,
    /// The code is read by bash; otherwise, by a shell that may be another one.
    pub(super) is_bash: bool,
}

impl Walk {
    /// Runs `inner` with a copy of the frame, which ends with it.
    pub(super) fn framed<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let outer = self.frame;
        let done = inner(self)?;
        self.frame = outer;
        Ok(done)
    }

    /// Runs `inner` where nobody reads its output.
    pub(super) fn quietly<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.framed(|walk| {
            walk.frame.wants_output = false;
            inner(walk)
        })
    }
}
