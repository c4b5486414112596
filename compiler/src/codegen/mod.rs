//! Code generation: a plan to the bytes of a module.
//!
//! The plan's tables become the module's one by one; conditions become blocks of code ([`blocks`]).
//! There are no choices, so equal plans give equal bytes.

mod blocks;
mod effects;
mod history;
mod locations;
mod open;
mod queries;
mod schema;
mod summary;
mod tables;

pub use summary::{EventSize, SectionSize, Summary, summary};

use hookc_schema::Sources;
use hookc_vm::format::Image;

use crate::fault::{Fault, Faults};
use crate::index::{self, IndexThresholds};
use crate::plan::Plan;

/// The module of a plan. Equal plans give equal bytes. Without `sources`, the module has no labels, source locations or
/// pattern names.
///
/// # Errors
/// If the plan contradicts itself, which none of [`plan()`](crate::plan::plan()) does.
pub fn emit(plan: &Plan, sources: Option<&Sources>) -> Result<Vec<u8>, Fault> {
    emit_with(plan, sources, &IndexThresholds::default())
}

/// Like [`emit`], with other thresholds for indexes.
///
/// # Errors
/// Those of [`emit`].
pub(crate) fn emit_with(
    plan: &Plan,
    sources: Option<&Sources>,
    thresholds: &IndexThresholds,
) -> Result<Vec<u8>, Fault> {
    let mut image = image(plan, sources)?;
    index::add(plan, thresholds, &mut image)?;
    Ok(image.encode())
}

/// The tables of a plan's module, but for those of indexes.
///
/// # Errors
/// Those of [`emit`].
pub fn image(plan: &Plan, sources: Option<&Sources>) -> Result<Image, Fault> {
    let faults = Faults::default();
    let mut image = tables::tables(plan, &faults);
    if let Some(sources) = sources {
        locations::add(plan, sources, &mut image, &faults);
    }
    faults.check(image)
}
