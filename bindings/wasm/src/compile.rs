//! What the larger module does beyond the smaller one.

use hookc::{DecideError, Scratch};
use hookc_bindings::{Failure, Options, Request, diagnostics_json};
use hookc_compiler::explain::Report;
use serde_json::json;

use crate::instance::{Input, Instance};

impl Instance {
    /// Compiles a request; the handle, and its warnings and notes as JSON.
    pub(crate) fn compile(&mut self, request: Input) -> Result<(u32, Vec<u8>), Failure> {
        let request = Request::read(self.buffers.read(request.0, request.1)?)?;
        let policy = request.compile()?;
        let diagnostics = policy.diagnostics();
        let rendered = if diagnostics.is_empty() { String::new() } else { diagnostics.to_string() };
        let result =
            format!("{{\"rendered\":{},\"diagnostics\":{}}}", json!(rendered), diagnostics_json(diagnostics));
        Ok((self.keep(policy.into())?, result.into_bytes()))
    }

    /// Why each hook of an event's type did or did not match, as JSON.
    pub(crate) fn explain(&mut self, handle: u32, event: Input, options: Input) -> Result<Vec<u8>, Failure> {
        let module = self.module(handle)?;
        let event = self.buffers.read(event.0, event.1)?;
        let options = Options::read(self.buffers.read(options.0, options.1)?)?;
        let options = options.decide()?;
        let failure = |error: DecideError| Failure::event(&error, event);
        let mut scratch = Scratch::new();
        let trace = module.trace(&mut scratch, event, &options).map_err(failure)?;
        let probe = module.probe(&mut scratch, event, &options).map_err(failure)?;
        let mut report = Report::new(module, probe).map_err(|error| Failure::module(&error))?;
        let (mut texts, mut hooks) = (Vec::new(), Vec::new());
        for hook in trace.hooks() {
            texts.push(report.text(hook).map_err(failure)?);
            hooks.push(report.json(hook).map_err(failure)?);
        }
        let (event, text) = (json!(trace.event()), json!(texts.join("\n")));
        Ok(format!("{{\"event\":{event},\"text\":{text},\"hooks\":[{}]}}", hooks.join(",")).into_bytes())
    }
}
