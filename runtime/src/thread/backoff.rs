//! The delay before another attempt.

use std::time::Duration;

use hookc_base::action::{Backoff, Retry};
use serde_json::Value;

use crate::event::Event;
use crate::json;
use crate::limits::LONGEST_TIMEOUT;

/// The first wait of an exponential policy that names none, in seconds.
const BASE: f64 = 1.0;
/// The longest wait of an exponential policy that names none, in seconds.
const MOST: f64 = 60.0;

/// The delay before attempt `attempt` (from 1): `delay` if the policy is fixed, `min(base *
/// 2^(attempt-1), max)` if it is exponential. `inherit` uses the event's own,
/// `classification.retry_policy`, and is exponential without one. `None`: no further attempt.
///
/// # Errors
/// The event's policy has an unknown type.
pub(super) fn wait(retry: &Retry, event: &Event, attempt: u64) -> Result<Option<Duration>, String> {
    let wait = match retry.backoff {
        Backoff::Fixed => Some(retry.delay.unwrap_or(0.0)),
        Backoff::Exponential => Some(exponential(retry.delay, None, attempt)),
        Backoff::Inherit => inherited(event.value().pointer("/classification/retry_policy"), event, attempt)?,
    };
    let capped = |wait| Duration::try_from_secs_f64(wait).unwrap_or(LONGEST_TIMEOUT).min(LONGEST_TIMEOUT);
    Ok(wait.map(capped))
}

fn exponential(base: Option<f64>, most: Option<f64>, attempt: u64) -> f64 {
    let doubled = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
    (base.unwrap_or(BASE) * 2f64.powi(doubled.min(1000))).min(most.unwrap_or(MOST))
}

fn seconds(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| *number >= 0.0)
}

/// Fallbacks can be nested, up to the depth of parsed JSON.
fn inherited(policy: Option<&Value>, event: &Event, attempt: u64) -> Result<Option<f64>, String> {
    let policy = match policy {
        None | Some(Value::Null) => return Ok(Some(exponential(None, None, attempt))),
        Some(Value::Object(policy)) => policy,
        Some(other) => {
            return Err(format!("the event's retry policy is {}, not an object", json::type_of(other)));
        }
    };
    let get = |names: &[&str]| names.iter().find_map(|name| seconds(policy.get(*name)?));
    let millis = |names: &[&str]| get(names).map(|millis| millis / 1000.0);
    let kind = ["type", "backoff_policy", "policy", "backoff"];
    let kind = kind.iter().find_map(|name| policy.get(*name));
    let delay = get(&["delay", "delay_seconds"]).or_else(|| millis(&["delay_ms"]));
    match kind.map_or(Some("exponential"), Value::as_str) {
        Some("exponential") => {
            let base =
                get(&["base", "base_delay", "base_seconds"]).or_else(|| millis(&["base_ms"])).or(delay);
            let most = get(&["max", "max_delay", "max_seconds"]).or_else(|| millis(&["max_ms"]));
            Ok(Some(exponential(base, most, attempt)))
        }
        Some("fixed") => Ok(Some(delay.unwrap_or(BASE))),
        Some("none") => Ok(None),
        Some("use_header") => {
            let name = policy.get("header").and_then(Value::as_str).unwrap_or("retry-after");
            match header(name, event) {
                Some(wait) => Ok(Some(wait)),
                None => inherited(policy.get("fallback"), event, attempt),
            }
        }
        _ => {
            let kinds = "`exponential`, `fixed`, `use_header` or `none`";
            Err(format!("the `type` of the event's retry policy is not {kinds}"))
        }
    }
}

/// The locations of an answer's header fields in events.
const HEADERS: [&str; 4] = ["/error/headers", "/headers", "/response/headers", "/error/response/headers"];

/// The seconds in a header field; a date has none.
fn header(name: &str, event: &Event) -> Option<f64> {
    let fields = HEADERS.iter().filter_map(|place| event.value().pointer(place)?.as_object()).flatten();
    let is_own = |field: &str| field.eq_ignore_ascii_case(name);
    let mut values = fields.filter(|(field, _)| is_own(field)).map(|(_, value)| match value {
        Value::Array(several) => several.first().unwrap_or(&Value::Null),
        one => one,
    });
    let number = |value: &Value| match value {
        Value::String(text) => {
            text.trim().parse::<f64>().ok().filter(|wait| wait.is_finite() && *wait >= 0.0)
        }
        value => seconds(value),
    };
    values.find_map(number)
}

#[cfg(test)]
mod tests {
    use super::wait;
    use crate::event::Event;
    use hookc_base::action::{Action, Retry};
    use serde_json::{Value, json};

    fn retry(action: &str) -> Retry {
        let Action::Retry(retry) = Action::parse(action).unwrap() else { unreachable!() };
        retry
    }

    fn seconds(action: &str, policy: Value) -> Vec<f64> {
        let action = retry(action);
        let event = Event::from_value(json!({"classification": {"retry_policy": policy}}));
        (1..=4).map(|attempt| wait(&action, &event, attempt).unwrap().unwrap().as_secs_f64()).collect()
    }

    #[test]
    fn policies() {
        let fixed = r#"{"type": "retry", "backoff_policy": "fixed", "delay": 2.5}"#;
        assert_eq!(seconds(fixed, json!(null)), [2.5; 4]);
        let inherit = r#"{"type": "retry", "backoff_policy": "inherit"}"#;
        assert_eq!(seconds(inherit, json!(null)), [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(
            seconds(inherit, json!({"type": "exponential", "base": 2, "max": 5})),
            [2.0, 4.0, 5.0, 5.0]
        );
        assert_eq!(seconds(inherit, json!({"type": "fixed", "delay_ms": 500})), [0.5; 4]);
        let exponential = r#"{"type": "retry", "backoff_policy": "exponential"}"#;
        assert_eq!(seconds(exponential, json!({"base": 9})), [1.0, 2.0, 4.0, 8.0]);
    }

    #[test]
    fn policies_of_the_event() {
        let inherit = retry(r#"{"type": "retry"}"#);
        let second = |event: Value| {
            wait(&inherit, &Event::from_value(event), 2).map(|wait| wait.map(|wait| wait.as_secs_f64()))
        };
        let header = |headers: Value| {
            let policy = json!({"type": "use_header", "header": "retry-after",
                "fallback": {"type": "exponential", "base": 2, "max": 60}});
            second(json!({"classification": {"retry_policy": policy}, "error": {"headers": headers}}))
        };
        for said in [json!("17"), json!(17), json!(["17"])] {
            assert_eq!(header(json!({"Retry-After": said})), Ok(Some(17.0)));
        }
        for none in [json!({}), json!(null), json!({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"})] {
            assert_eq!(header(none), Ok(Some(4.0)));
        }
        let policy = |policy: Value| second(json!({"classification": {"retry_policy": policy}}));
        assert_eq!(policy(json!({"type": "none"})), Ok(None));
        assert_eq!(policy(json!({"type": "use_header", "fallback": {"type": "none"}})), Ok(None));
        assert_eq!(policy(json!({"type": "use_header"})), Ok(Some(2.0)));
        assert!(policy(json!({"type": "linear"})).unwrap_err().ends_with("`use_header` or `none`"));
        assert!(policy(json!({"type": 1})).is_err() && policy(json!("fixed")).is_err());
    }
}
