//! Code generation: a plan to the bytes of a module. (stub)

use hookc_schema::Sources;

use crate::plan::Plan;

/// The module of a plan. Equal plans give equal bytes; `strip` leaves labels
/// and places out.
#[must_use]
pub fn emit(plan: &Plan, sources: &Sources, strip: bool) -> Vec<u8> {
    let _ = (plan, sources, strip);
    Vec::new()
}
