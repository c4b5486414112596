//! What kind of error a failed request is: a table, `data/errors.json`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::ModelError;

/// A row of the table. The first row whose types or statuses contain the error applies; a row
/// without both applies to all.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    types: Vec<String>,
    statuses: Vec<u16>,
    category: String,
    retryable: bool,
    retry_policy: Value,
}

#[allow(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
static TABLE: LazyLock<Vec<Row>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/errors.json")).expect("the table of errors"));

/// The `classification` of an error in the event.
pub(crate) fn classification(error: &ModelError) -> Value {
    let applies = |row: &&Row| {
        let applies_always = row.types.is_empty() && row.statuses.is_empty();
        applies_always
            || row.types.contains(&error.kind)
            || error.status.is_some_and(|status| row.statuses.contains(&status))
    };
    match TABLE.iter().find(applies) {
        Some(row) => json!({"category": row.category, "retryable": row.retryable,
            "retry_policy": row.retry_policy}),
        None => json!({"category": "permanent", "retryable": false, "retry_policy": {"type": "none"}}),
    }
}

#[cfg(test)]
mod tests {
    use super::{TABLE, classification};
    use crate::model::ModelError;

    #[test]
    fn the_table_is_sound_and_every_error_has_a_class() {
        assert!(TABLE.len() > 3 && TABLE.last().unwrap().types.is_empty());
        let class_of = |kind: &str, status: Option<u16>| {
            let class = classification(&ModelError { status, ..ModelError::new(kind, "") });
            (class["category"].as_str().unwrap().to_owned(), class["retryable"] == true)
        };
        assert_eq!(class_of("x", Some(429)), ("rate_limited".to_owned(), true));
        assert_eq!(class_of("x", Some(529)), ("transient".to_owned(), true));
        assert_eq!(class_of("connection_closed", None), ("transient".to_owned(), true));
        assert_eq!(class_of("x", Some(401)), ("authentication".to_owned(), false));
        assert_eq!(class_of("script_ended", None), ("permanent".to_owned(), false));
    }
}
