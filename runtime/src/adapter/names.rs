//! Policies that hook events under names which no event has when it is decided
//! about.

use hookc_schema::agents;
use hookc_vm::Module;

use super::Adapter;

/// Why a policy would be silent that hooks an event under a name which agents
/// have for it. Names that are misspelt are errors when compiling.
#[must_use]
pub fn misnamed(module: &Module, host: &dyn Adapter) -> Option<String> {
    module.events().find_map(|event| {
        let meant = agents::misnamed(event.family, event.name, Some(host.name()))?;
        Some(agents::never_runs(event.name, meant))
    })
}
