//! Progress on standard error.

use super::{Event, Origin};

#[derive(Debug)]
pub(super) struct Progress {
    verbose: bool,
}

impl Progress {
    pub(super) fn new(verbose: bool) -> Self {
        Self { verbose }
    }

    pub(super) fn event(&mut self, _: &Origin, _: &Event) {
        let _ = self.verbose;
    }
}
