//! Variables that people expect agents to set.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

/// The variables, with their source.
const MISSING: &str = include_str!("../../data/variables-missing.json");

#[derive(Deserialize, Default)]
struct Missing {
    variables: BTreeMap<String, String>,
}

/// Where the value of a variable that no agent sets is: `.` and the path of a member of the event, or the name of the
/// variable that agents set.
#[must_use]
pub fn instead_of_variable(name: &str) -> Option<&'static str> {
    static VARIABLES: OnceLock<Missing> = OnceLock::new();
    let missing = VARIABLES.get_or_init(|| serde_json::from_str(MISSING).unwrap_or_default());
    missing.variables.get(name).map(String::as_str)
}
