//! `http` handlers: the event is sent to a URL, and the answer is read like the output of a program.

use std::time::Duration;

use hookc_base::Family;
use hookc_runtime::ActionFailure;
use hookc_runtime::action::Http;
use hookc_runtime::host::EventContext;
use serde_json::Value;

use crate::web::Call;

/// Seconds without `timeout`, as for other handlers of agents.
const TIMEOUT: f64 = 600.0;

/// Sends the event of a hook.
///
/// # Errors
/// There is no answer, or its status is not 2xx.
pub(crate) fn send(own: &Http, context: &EventContext<'_>) -> Result<Value, ActionFailure> {
    let failed = |why: String| ActionFailure::failed(format!("{}: {why}", own.url));
    let body = match &own.body {
        Some(body) => body.to_string().into_bytes(),
        None => context.event.bytes().to_vec(),
    };
    let timeout = Duration::try_from_secs_f64(own.timeout.unwrap_or(TIMEOUT));
    let timeout = timeout.map_err(|_| failed("`timeout` is not a number of seconds".to_owned()))?;
    let call = Call { method: own.method.as_str(), url: &own.url, headers: headers(own), body, timeout };
    let text = call.send().map_err(failed)?;
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    // The runtime reads the answer of an agent's hook itself: it sees a key that is there twice.
    if context.family == Some(Family::Agent) {
        return Ok(text.into());
    }
    Ok(serde_json::from_str(&text).unwrap_or_else(|_| text.trim().into()))
}

/// The header fields, with the variables that they may name.
fn headers(own: &Http) -> Vec<(String, String)> {
    let allowed = own.allowed_env.as_deref().unwrap_or_default();
    let variable = |name: &str| {
        let is_allowed = allowed.iter().any(|own| own == name);
        is_allowed.then(|| std::env::var(name).ok()).flatten().unwrap_or_default()
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let all = own.headers.iter().flatten();
    all.map(|(name, value)| (name.clone(), expanded(&text(value), &variable))).collect()
}

/// A text with the values of `$NAME` and `${NAME}`.
fn expanded(text: &str, variable: &dyn Fn(&str) -> String) -> String {
    let (mut all, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('$') {
        all.push_str(before);
        let inner = behind.strip_prefix('{').unwrap_or(behind);
        let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inner.len());
        let (name, after) = inner.split_at_checked(end).unwrap_or((inner, ""));
        let is_braced = inner.len() != behind.len();
        let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
        match (is_name, is_braced, after.strip_prefix('}')) {
            (true, true, Some(after)) => {
                all.push_str(&variable(name));
                rest = after;
            }
            (true, false, _) => {
                all.push_str(&variable(name));
                rest = after;
            }
            _ => {
                all.push('$');
                rest = behind;
            }
        }
    }
    all + rest
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[test]
    fn variables() {
        let variable = |name: &str| if name == "TOKEN" { "t1".to_owned() } else { String::new() };
        for (text, expected) in [
            ("Bearer $TOKEN", "Bearer t1"),
            ("${TOKEN}x$OTHER-", "t1x-"),
            ("$5 ${ $ ${TOKEN", "$5 ${ $ ${TOKEN"),
            ("plain", "plain"),
        ] {
            assert_eq!(expanded(text, &variable), expected, "{text}");
        }
    }
}
