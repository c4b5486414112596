//! One model for all threads of a run: a script has one position.

use std::sync::Arc;

use crate::model::{Delta, Model, ModelError, Reply, Request};

/// A model that several sessions have.
#[derive(Debug)]
pub(crate) struct Shared(pub(crate) Arc<dyn Model>);

impl Model for Shared {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn ask(&self, request: &Request<'_>, sink: &mut dyn FnMut(Delta)) -> Result<Reply, ModelError> {
        self.0.ask(request, sink)
    }

    fn position(&self) -> Option<u64> {
        self.0.position()
    }

    fn seek(&self, position: u64) {
        self.0.seek(position);
    }
}
