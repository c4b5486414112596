//! The history of a point: all its hooks see one, and it is recorded after the last of them.

use hookc_history::{Secret, Verdict};
use hookc_vm::{DecideError, Histories, Module, Scratch};

use super::{Point, options};
use crate::engine::Decided;
use crate::event::Event;
use crate::history::{self, History, Loaded, Records, Request, SharedHistory, SharedRecord, Start};

/// The partitions of a point.
pub(super) struct PointHistory<'s> {
    shared: Option<(&'s SharedHistory, Loaded<'s>, Request<'static>)>,
}

/// A decision of a point, to find out whether it would be another one later.
pub(super) struct PointDecision {
    pub(super) event: Event,
    /// The hook that ran before it.
    pub(super) after: Option<u32>,
    /// The hook that it chose.
    pub(super) chosen: Option<Chosen>,
}

/// The rank of a hook, and whether its action can be executed.
pub(super) type Chosen = (u32, bool);

/// The hook that a decision chose.
pub(super) fn chosen(decided: &Decided) -> Option<Chosen> {
    decided.pending.first().map(|pending| (pending.hook.rank, pending.action.is_ok()))
}

impl<'s> PointHistory<'s> {
    /// Loads them, if the policy depends on the history or adds to it.
    pub(super) fn load(
        shared: Option<&'s SharedHistory>,
        module: &Module,
        event: impl FnOnce() -> Event,
        point: Point,
    ) -> Self {
        let load = |shared: &'s SharedHistory| {
            let keys = history::keys(module, point.as_str(), Start::Within);
            let request = (!keys.is_empty()).then(|| Request::of_embedder(keys, &event(), Start::Within))?;
            Some((shared, shared.load(&request), request))
        };
        Self { shared: shared.and_then(load) }
    }

    /// Whether the point is recorded.
    pub(super) fn is_recorded(&self) -> bool {
        self.shared.is_some()
    }

    /// The secret of the hashes of values.
    pub(super) fn secret(&self) -> Secret {
        self.shared.as_ref().map_or_else(|| Secret::new([0; 32]), |(shared, ..)| shared.secret().clone())
    }

    pub(super) fn histories(&self) -> Vec<History<'_>> {
        self.shared.as_ref().map(|(_, loaded, _)| loaded.histories()).unwrap_or_default()
    }

    /// Records the point after these decisions. Returns why it is not recorded.
    pub(super) fn record(
        self,
        (decisions, records): (&[PointDecision], Records),
        is_denied: bool,
        (point, module): (Point, &Module),
    ) -> Option<String> {
        let (shared, loaded, request) = self.shared?;
        let verdict = if is_denied { Verdict::Deny } else { Verdict::None };
        let decide = |histories: &Histories<'_>| decide_again(decisions, point, module, histories);
        let record = SharedRecord::write(shared, (loaded, records), &request, verdict, decide);
        record.failure().map(str::to_owned)
    }
}

/// The records of the last of these decisions under other histories; `None` if one of them is another one.
fn decide_again(
    decisions: &[PointDecision],
    point: Point,
    module: &Module,
    histories: &Histories<'_>,
) -> Result<Option<Records>, DecideError> {
    let (mut scratch, mut records) = (Scratch::new(), Records::default());
    for decision in decisions {
        let options = options(point).after(decision.after).history(histories);
        let decided = Decided::new(&module.decide(&mut scratch, decision.event.bytes(), &options)?, module);
        if chosen(&decided) != decision.chosen {
            return Ok(None);
        }
        records = decided.records;
    }
    Ok(Some(records))
}
