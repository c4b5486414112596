//! The host, but for what a thread decides by its state.

use serde_json::{Map, Value};

use crate::host::{Call, Host, HostError, Reply};
use crate::process::Command;

/// A host that does not hear of retries and suspensions yet: whether they come to
/// pass is decided when all hooks have spoken.
pub(super) struct DeferredHost<'h>(pub(super) &'h dyn Host);

impl Host for DeferredHost<'_> {
    fn retry(&self, _: &Call<'_>) -> Reply {
        Ok(Value::Null)
    }

    fn suspend(&self, _: &Call<'_>) -> Reply {
        Ok(Value::Null)
    }

    fn conclude(&self, _: &Call<'_>) -> Reply {
        Ok(Value::Null)
    }

    fn prompt(&self, call: &Call<'_>) -> Reply {
        self.0.prompt(call)
    }

    fn agent(&self, call: &Call<'_>) -> Reply {
        self.0.agent(call)
    }

    fn http(&self, call: &Call<'_>) -> Reply {
        self.0.http(call)
    }

    fn mcp_tool(&self, call: &Call<'_>) -> Reply {
        self.0.mcp_tool(call)
    }

    fn script(&self, call: &Call<'_>) -> Reply {
        self.0.script(call)
    }

    fn invoke(&self, call: &Call<'_>) -> Reply {
        self.0.invoke(call)
    }

    fn call_directive(&self, call: &Call<'_>) -> Reply {
        self.0.call_directive(call)
    }

    fn emit_event(&self, call: &Call<'_>) -> Reply {
        self.0.emit_event(call)
    }

    fn escalate(&self, call: &Call<'_>) -> Reply {
        self.0.escalate(call)
    }

    fn other(&self, call: &Call<'_>) -> Reply {
        self.0.other(call)
    }

    fn invoked(&self, call: &Call<'_>, caller: &str, reply: Result<&Value, &str>) {
        self.0.invoked(call, caller, reply);
    }

    fn log(&self, level: &str, message: &str, fields: Option<&Map<String, Value>>) {
        self.0.log(level, message, fields);
    }

    fn background(&self, command: Command) -> Result<(), HostError> {
        self.0.background(command)
    }

    fn environment(&self) -> Vec<(String, Option<String>)> {
        self.0.environment()
    }
}
