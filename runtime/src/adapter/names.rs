//! Finds hooks on event names that no event has when it is decided.

use std::error::Error;
use std::fmt;

use hookc_schema::agents;
use hookc_vm::Module;

use super::Adapter;

/// A policy hooks an event under a name that no event has when it is decided about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MisnamedEvent {
    /// The name in the policy, which is an agent's own.
    pub name: String,
    /// The name of the vocabulary.
    pub meant: &'static str,
}

impl fmt::Display for MisnamedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&agents::never_runs(&self.name, self.meant))
    }
}

impl Error for MisnamedEvent {}

/// The first event that a policy hooks under a name which agents have for it: such a policy would
/// be silent. Misspelt names are errors when compiling.
#[must_use]
pub fn misnamed(module: &Module, host: &dyn Adapter) -> Option<MisnamedEvent> {
    module.events().find_map(|event| {
        let meant = agents::misnamed(event.family, event.name, Some(host.name()))?;
        Some(MisnamedEvent { name: event.name.to_owned(), meant })
    })
}
