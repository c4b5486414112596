//! Policies that hook events under names which no event has when it is decided
//! about.

use hookc_schema::agents;
use hookc_schema::tree;
use hookc_vm::{Family, Module};

use super::Adapter;

/// Why a policy would be silent that hooks an event under a name which agents
/// have for it. Names that are misspelt are errors when compiling.
#[must_use]
pub fn misnamed(module: &Module, host: &dyn Adapter) -> Option<String> {
    module.events().find_map(|event| {
        let meant = agents::misnamed(family(event.family), event.name, Some(host.name()))?;
        Some(agents::never_runs(event.name, meant))
    })
}

fn family(of: Family) -> tree::Family {
    match of {
        Family::Thread => tree::Family::Thread,
        Family::Agent => tree::Family::Agent,
        Family::Repository => tree::Family::Repository,
        Family::Skill => tree::Family::Skill,
        Family::Workflow => tree::Family::Workflow,
    }
}
