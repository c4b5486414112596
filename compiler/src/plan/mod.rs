//! The plan: slots, constants, predicates and conditions, each once. (stub)

use hookc_schema::Diagnostic;

use crate::link::Linked;

/// What code generation works from.
#[derive(Clone, Debug, Default)]
pub struct Plan {}

/// Makes the plan of linked hooks.
pub fn plan(linked: &Linked, out: &mut Vec<Diagnostic>) -> Plan {
    let _ = (linked, out);
    Plan::default()
}

/// The plan as text (`compile --emit plan`).
#[must_use]
pub fn print(plan: &Plan) -> String {
    let _ = plan;
    String::new()
}
