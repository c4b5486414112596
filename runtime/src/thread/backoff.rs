//! How long to wait before another try.

use std::time::Duration;

use serde_json::Value;

use crate::action::Action;
use crate::event::Event;
use crate::limits::LONGEST_TIMEOUT;

/// The first wait of an exponential policy that names none, in seconds.
const BASE: f64 = 1.0;
/// The longest wait of an exponential policy that names none, in seconds.
const MOST: f64 = 60.0;

/// The wait before try `attempt` (from 1): `delay` if the policy is fixed,
/// `min(base * 2^(attempt-1), max)` if it is exponential. `inherit` takes the
/// event's own, `classification.retry_policy`, and is exponential without one.
pub(super) fn wait(action: &Action, event: &Event, attempt: u64) -> Duration {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64).filter(|number| *number >= 0.0);
    let delay = number(action.get("delay"));
    let seconds = match action.text("backoff_policy").unwrap_or("inherit") {
        "fixed" => delay.unwrap_or(0.0),
        "exponential" => exponential(delay, None, attempt),
        _ => inherited(event.value().pointer("/classification/retry_policy"), attempt),
    };
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_TIMEOUT).min(LONGEST_TIMEOUT)
}

fn exponential(base: Option<f64>, most: Option<f64>, attempt: u64) -> f64 {
    let doubled = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
    (base.unwrap_or(BASE) * 2f64.powi(doubled.min(1000))).min(most.unwrap_or(MOST))
}

fn inherited(policy: Option<&Value>, attempt: u64) -> f64 {
    let get = |names: &[&str]| {
        let found = names.iter().find_map(|name| policy?.get(*name)?.as_f64());
        found.filter(|number| *number >= 0.0)
    };
    let kind = ["type", "backoff_policy", "policy", "backoff"];
    let kind = kind.iter().find_map(|name| policy?.get(*name)?.as_str()).unwrap_or("exponential");
    let millis = |names: &[&str]| get(names).map(|millis| millis / 1000.0);
    let delay = get(&["delay", "delay_seconds"]).or_else(|| millis(&["delay_ms"]));
    if kind == "fixed" {
        return delay.unwrap_or(BASE);
    }
    let base = get(&["base", "base_delay", "base_seconds"]).or_else(|| millis(&["base_ms"])).or(delay);
    let most = get(&["max", "max_delay", "max_seconds"]).or_else(|| millis(&["max_ms"]));
    exponential(base, most, attempt)
}

#[cfg(test)]
mod tests {
    use super::wait;
    use crate::action::Action;
    use crate::event::Event;
    use serde_json::{Value, json};

    fn seconds(action: &str, policy: Value) -> Vec<f64> {
        let action = Action::parse(action).unwrap();
        let event = Event::of(json!({"classification": {"retry_policy": policy}}));
        (1..=4).map(|attempt| wait(&action, &event, attempt).as_secs_f64()).collect()
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
}
