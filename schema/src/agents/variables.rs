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
/// variable that agents set. A name of the data that ends with `*` is the start of names.
#[must_use]
pub fn instead_of_variable(name: &str) -> Option<&'static str> {
    static VARIABLES: OnceLock<Missing> = OnceLock::new();
    let missing = VARIABLES.get_or_init(|| serde_json::from_str(MISSING).unwrap_or_default());
    let starts = |(listed, _): &(&String, &String)| {
        listed.strip_suffix('*').is_some_and(|start| name.starts_with(start))
    };
    let found = missing.variables.get(name).or_else(|| Some(missing.variables.iter().find(starts)?.1));
    found.map(String::as_str)
}
