//! The history of a point: all its hooks see one, and it is recorded after the last of them.

use hookc_history::{Secret, Verdict};
use hookc_vm::{DecideError, Histories, Module};

use super::Point;
use crate::event::Event;
use crate::history::{
    self, History, Loaded, Partitions, Records, Request, SharedHistory, SharedRecord, Start,
};

/// The partitions of a point.
pub(super) struct PointHistory<'s> {
    shared: Option<(&'s SharedHistory, Loaded<'s>)>,
    request: Request<'static>,
}

impl<'s> PointHistory<'s> {
    /// Loads them, if the policy depends on the history or adds to it.
    pub(super) fn load(
        shared: Option<&'s SharedHistory>,
        module: &Module,
        event: &Event,
        point: Point,
    ) -> Self {
        let request = Request {
            keys: history::keys(module, point.as_str(), Start::Within),
            partitions: Partitions::of_embedder(event),
            start: Start::Within,
            tool_use: None,
            starts_are_recorded: &|| false,
        };
        let shared = shared.filter(|_| !request.keys.is_empty());
        Self { shared: shared.map(|shared| (shared, shared.load(&request))), request }
    }

    /// The secret of the hashes of values.
    pub(super) fn secret(&self) -> Secret {
        self.shared.as_ref().map_or_else(|| Secret::new([0; 32]), |(shared, _)| shared.secret().clone())
    }

    pub(super) fn histories(&self) -> Vec<History<'_>> {
        self.shared.as_ref().map(|(_, loaded)| loaded.histories()).unwrap_or_default()
    }

    /// Records the point. Returns why it is not recorded.
    pub(super) fn record(
        self,
        records: Records,
        is_denied: bool,
        decide: impl Fn(&Histories<'_>) -> Result<Records, DecideError>,
    ) -> Option<String> {
        let (shared, loaded) = self.shared?;
        let verdict = if is_denied { Verdict::Deny } else { Verdict::None };
        let record = SharedRecord::write(shared, (loaded, records), &self.request, verdict, decide);
        record.failure().map(str::to_owned)
    }
}
