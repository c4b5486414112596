//! The inputs of a tool.

use hookc_shell::effects::{Input, Value as Seen};
use serde_json::Value;

/// The inputs of a tool in JSON, as effects are gathered from them.
#[derive(Clone, Copy, Debug)]
pub struct ToolInput<'j>(pub &'j Value);

impl Input for ToolInput<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Seen<'_>)) {
        let mut found = vec![self.0];
        for step in path.split('.') {
            let (name, is_list) = step.strip_suffix("[*]").map_or((step, false), |name| (name, true));
            let members = found.into_iter().filter_map(|value| value.get(name));
            found = match is_list {
                true => members.filter_map(Value::as_array).flatten().collect(),
                false => members.collect(),
            };
        }
        for value in found {
            match value {
                Value::Null => {}
                Value::String(text) => see(Seen::Text(text)),
                Value::Array(list) if list.iter().all(Value::is_string) => {
                    see(Seen::Words(&mut list.iter().filter_map(Value::as_str)));
                }
                _ => see(Seen::Other),
            }
        }
    }
}
