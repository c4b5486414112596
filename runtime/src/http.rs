//! Requests over HTTP: the event of an action `http` is sent to a URL, and the answer is read like the output of a
//! program. Redirects are not followed, and reasons name only the server: the rest of a URL may be a secret.

use std::io::Read;
use std::time::Duration;

use hookc_base::Family;
use hookc_base::action::Http;
use serde_json::Value;
use ureq::http::{Request, Uri};

use crate::host::EventContext;
use crate::limits;
use crate::outcome::{ActionFailure, UNREADABLE};

/// Characters of an answer that a reason quotes.
const QUOTED: usize = 200;

/// A request with a JSON body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call<'c> {
    /// The method.
    pub method: &'c str,
    /// The URL.
    pub url: &'c str,
    /// Header fields.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
}

impl<'c> Call<'c> {
    /// A `POST` without header fields.
    #[must_use]
    pub fn post(url: &'c str, body: Vec<u8>, timeout: Duration) -> Self {
        Self { method: "POST", url, headers: Vec::new(), body, timeout }
    }

    /// Sends it; returns the text of the answer.
    ///
    /// # Errors
    /// There is no complete answer in time, it is longer than [`limits::OUTPUT_BYTES`], it is not text, or its status is
    /// not 2xx.
    pub fn send(self) -> Result<String, String> {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            .timeout_global(Some(self.timeout))
            .build();
        let mut request =
            Request::builder().method(self.method).uri(self.url).header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(self.body).map_err(|error| error.to_string())?;
        let sent = ureq::Agent::from(config).run(request);
        let (parts, answer) = sent.map_err(|error| error.to_string())?.into_parts();
        let mut bytes = Vec::new();
        let most = limits::OUTPUT_BYTES;
        let read = answer.into_reader().take(crate::open::one_more(most)).read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())?;
        if bytes.len() > most {
            return Err(format!("its answer is longer than {most} bytes"));
        }
        let text = String::from_utf8(bytes).map_err(|_| "its answer is not UTF-8 text".to_owned())?;
        match parts.status.is_success() {
            true => Ok(text),
            false => {
                let quoted: String = text.trim().chars().take(QUOTED).collect();
                let said = if quoted.is_empty() { quoted } else { format!(": {quoted}") };
                Err(format!("HTTP status {}{said}", parts.status.as_u16()))
            }
        }
    }
}

/// Sends the event of a hook.
///
/// # Errors
/// There is no answer, or its status is not 2xx.
pub fn send(http: &Http, context: &EventContext<'_>) -> Result<Value, ActionFailure> {
    let failed =
        |why: String| ActionFailure::failed(format!("{}: {why}", server(&http.url))).with_bare(UNREADABLE);
    let body = match &http.body {
        Some(body) => body.to_string().into_bytes(),
        None => context.event.bytes().to_vec(),
    };
    let timeout = limits::timeout(http.timeout, context.timeout);
    let call = Call { method: http.method.as_str(), url: &http.url, headers: headers(http), body, timeout };
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

/// The server of a URL, without what may be secret: the user, the path and the query.
fn server(url: &str) -> String {
    let uri = url.parse::<Uri>().ok();
    let server = uri.as_ref().and_then(|uri| {
        let port = uri.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
        Some(format!("{}://{}{port}", uri.scheme_str()?, uri.host()?))
    });
    server.unwrap_or_else(|| "its URL".to_owned())
}

/// The header fields, with the variables that they may name.
fn headers(http: &Http) -> Vec<(String, String)> {
    let allowed = http.allowed_env.as_deref().unwrap_or_default();
    let variable = |name: &str| {
        let is_allowed = allowed.iter().any(|listed| listed == name);
        is_allowed.then(|| std::env::var(name).ok()).flatten().unwrap_or_default()
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let headers = http.headers.iter().flatten();
    headers.map(|(name, value)| (name.clone(), expanded(&text(value), &variable))).collect()
}

/// A text with the values of `$NAME` and `${NAME}`.
fn expanded(text: &str, variable: &dyn Fn(&str) -> String) -> String {
    let (mut expanded_text, mut rest) = (String::new(), text);
    while let Some((before, after_dollar)) = rest.split_once('$') {
        expanded_text.push_str(before);
        let inner = after_dollar.strip_prefix('{').unwrap_or(after_dollar);
        let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inner.len());
        let (name, after) = inner.split_at_checked(end).unwrap_or((inner, ""));
        let is_braced = inner.len() != after_dollar.len();
        let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
        match (is_name, is_braced, after.strip_prefix('}')) {
            (true, true, Some(after)) => {
                expanded_text.push_str(&variable(name));
                rest = after;
            }
            (true, false, _) => {
                expanded_text.push_str(&variable(name));
                rest = after;
            }
            _ => {
                expanded_text.push('$');
                rest = after_dollar;
            }
        }
    }
    expanded_text + rest
}

#[cfg(test)]
mod tests {
    use super::{expanded, server};

    #[test]
    fn reasons_name_the_server() {
        assert_eq!(server("https://user:pw@example.com:8443/T0/secret?key=1"), "https://example.com:8443");
        assert_eq!(
            (server("http://[::1]/x").as_str(), server("nonsense").as_str()),
            ("http://[::1]", "its URL")
        );
    }

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
