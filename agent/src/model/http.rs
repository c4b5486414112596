//! Requests over HTTP, and the errors they end with.

use std::time::SystemTime;

/// The value of `retry-after` in whole seconds: it is a number, or a date.
pub(super) fn seconds(value: &str) -> String {
    match httpdate::parse_http_date(value.trim()) {
        Ok(date) => {
            let wait = date.duration_since(SystemTime::now()).unwrap_or_default();
            wait.as_secs_f64().ceil().to_string()
        }
        Err(_) => value.trim().to_owned(),
    }
}
