//! Requests over HTTP to programs other than models: `http` handlers, and artifacts behind a URL.

use std::io::Read;
use std::time::Duration;

use ureq::http::Request;

/// Bytes of an answer.
const ANSWER_BYTES: u64 = 1 << 20;

/// A request with a JSON body.
#[derive(Clone, Debug)]
pub(crate) struct Call<'c> {
    pub(crate) method: &'c str,
    pub(crate) url: &'c str,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) timeout: Duration,
}

impl Call<'_> {
    /// Sends it; returns the text of the answer.
    ///
    /// # Errors
    /// There is no complete answer in time, it is too long, it is not text, or its status is not 2xx.
    pub(crate) fn send(self) -> Result<String, String> {
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
        let read = answer.into_reader().take(ANSWER_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())?;
        if bytes.len() as u64 > ANSWER_BYTES {
            return Err(format!("its answer is longer than {ANSWER_BYTES} bytes"));
        }
        let text = String::from_utf8(bytes).map_err(|_| "its answer is not UTF-8 text".to_owned())?;
        match parts.status.is_success() {
            true => Ok(text),
            false => Err(format!("HTTP status {}: {}", parts.status.as_u16(), text.trim())),
        }
    }
}
