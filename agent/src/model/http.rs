//! Requests over HTTP, and the errors they end with.

use std::error::Error;
use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use ureq::Agent;
use ureq::http::HeaderMap;

use super::ModelError;

/// Bytes of an answer with an error status.
const ERROR_BYTES: u64 = 64 << 10;

/// Bytes of an answer that is no stream.
const ANSWER_BYTES: u64 = 64 << 20;

/// An endpoint.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    url: String,
    headers: Vec<(&'static str, String)>,
}

impl Client {
    /// `path` begins with `/v1/`; a base URL that ends with `/v1` is accepted too.
    pub(super) fn new(
        base: &str,
        path: &str,
        headers: Vec<(&'static str, String)>,
        timeout: Duration,
    ) -> Self {
        let base = base.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(30)))
            .timeout_global(Some(timeout))
            .build();
        Self { agent: config.into(), url: format!("{base}{path}"), headers }
    }

    /// Sends a body; returns the answer as it arrives.
    pub(super) fn post(&self, body: &Value) -> Result<Reply<impl Read + use<>>, ModelError> {
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let response = request.send(body.to_string()).map_err(|error| failed(&error))?;
        let (parts, body) = response.into_parts();
        let mut reader = body.into_reader();
        if parts.status.is_success() {
            let is_json = parts.headers.get("content-type").is_some_and(|kind| {
                kind.to_str().is_ok_and(|kind| kind.trim_start().starts_with("application/json"))
            });
            return if is_json { whole(reader).map(Reply::Whole) } else { Ok(Reply::Events(reader)) };
        }
        let mut text = Vec::new();
        // What cannot be read of an error's text is not part of it.
        let _ = reader.by_ref().take(ERROR_BYTES).read_to_end(&mut text);
        Err(of_status(parts.status.as_u16(), &parts.headers, &String::from_utf8_lossy(&text)))
    }
}

/// An answer of an endpoint.
#[derive(Debug)]
pub(super) enum Reply<R> {
    /// A stream of events.
    Events(R),
    /// One object: some servers do not stream what they have already.
    Whole(Value),
}

/// An answer that is no stream.
fn whole(reader: impl Read) -> Result<Value, ModelError> {
    let mut bytes = Vec::new();
    reader.take(ANSWER_BYTES + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
    if bytes.len() as u64 > ANSWER_BYTES {
        return Err(ModelError::new(
            "invalid_stream",
            format!("the answer is longer than {ANSWER_BYTES} bytes"),
        ));
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| ModelError::new("invalid_stream", format!("the answer is not JSON: {error}")))
}

/// The error of an answer with an error status.
fn of_status(status: u16, headers: &HeaderMap, body: &str) -> ModelError {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |name: &str| value.pointer(name).and_then(Value::as_str);
    let kind = text("/error/type").or_else(|| text("/error/code")).unwrap_or("http_error");
    let message = text("/error/message").or_else(|| text("/error")).or_else(|| text("/message"));
    let shown: String = message.unwrap_or_else(|| body.trim()).chars().take(1000).collect();
    let error = ModelError::new(kind, if shown.is_empty() { format!("HTTP status {status}") } else { shown });
    // The server's own clock: the one here can be wrong, or be set at any time.
    let date = headers.get("date").and_then(|date| date.to_str().ok()).map(str::to_owned);
    let headers = headers.iter().filter_map(|(name, value)| {
        let (name, value) = (name.as_str().to_ascii_lowercase(), value.to_str().ok()?);
        let kept = name == "retry-after" || name.contains("ratelimit") || name.contains("request-id");
        let value = if name == "retry-after" { seconds(value, date.as_deref()) } else { value.to_owned() };
        kept.then_some((name, value))
    });
    ModelError { status: Some(status), headers: headers.collect(), ..error }
}

fn failed(error: &ureq::Error) -> ModelError {
    match error {
        ureq::Error::Timeout(_) => ModelError::new("timeout", format!("no complete answer in time: {error}")),
        ureq::Error::Io(error) => broken(error),
        error => ModelError::new("connection_failed", error.to_string()),
    }
}

/// The error of a connection that ended within an answer.
pub(super) fn broken(error: &io::Error) -> ModelError {
    let timeout = error.kind() == io::ErrorKind::TimedOut
        || error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<ureq::Error>())
            .is_some_and(|inner| matches!(inner, ureq::Error::Timeout(_)));
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    match (timeout, error.kind()) {
        (true, _) => ModelError::new("timeout", format!("no complete answer in time: {error}")),
        (_, io::ErrorKind::ConnectionRefused) => {
            ModelError::new("connection_failed", format!("{error}{cause}"))
        }
        _ => ModelError::new("connection_closed", format!("{error}{cause}")),
    }
}

/// The value of `retry-after` in whole seconds: it is a number, or a date. `sent` is when the answer was
/// sent, by the clock of the server.
pub(super) fn seconds(value: &str, sent: Option<&str>) -> String {
    match httpdate::parse_http_date(value.trim()) {
        Ok(date) => {
            let sent = sent.and_then(|sent| httpdate::parse_http_date(sent.trim()).ok());
            let wait = date.duration_since(sent.unwrap_or_else(SystemTime::now)).unwrap_or_default();
            wait.as_secs_f64().ceil().to_string()
        }
        Err(_) => value.trim().to_owned(),
    }
}

/// The key of an endpoint: needed unless the endpoint is another one than the usual.
pub(super) fn key(variable: &str, base_url: Option<&str>) -> Result<Option<String>, String> {
    let key = std::env::var(variable).ok().filter(|key| !key.trim().is_empty());
    let is_sound = |key: &String| key.trim().bytes().all(|byte| byte.is_ascii_graphic());
    match (key.map(|key| key.trim().to_owned()), base_url) {
        (Some(key), _) if !is_sound(&key) => {
            Err(format!("{variable} is not a key: it contains whitespace or other characters than ASCII"))
        }
        (None, None) => Err(format!(
            "{variable} is not set: the endpoint needs a key (or name another with `--base-url`)"
        )),
        (key, _) => Ok(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_to_retry_after_is_measured_by_the_clock_of_the_server() {
        let mut headers = HeaderMap::new();
        headers.insert("date", "Tue, 24 Nov 1998 10:00:00 GMT".parse().unwrap());
        headers.insert("retry-after", "Tue, 24 Nov 1998 10:01:30 GMT".parse().unwrap());
        let error = of_status(429, &headers, "");
        assert_eq!(error.headers, [("retry-after".to_owned(), "90".to_owned())]);
        // In the past, unreadable, and a number.
        let (past, sent) = ("Tue, 24 Nov 1998 09:00:00 GMT", "Tue, 24 Nov 1998 10:00:00 GMT");
        assert_eq!(seconds(past, Some(sent)), "0");
        assert_eq!(seconds(past, Some("soon")), "0");
        assert_eq!(seconds(" 7 ", Some(sent)), "7");
    }
}
