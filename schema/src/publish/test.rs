//! The schema of test files (`hookc test`).

use serde_json::{Value, json};

use super::object;
use crate::agents;
use crate::decode::{Definitions, object_schema};
use crate::dialect::test;

pub(super) fn schema() -> Value {
    let mut definitions = Definitions::default();
    let file = object_schema(&test::FILE, &mut definitions);
    definitions.object(&test::EXPECT);
    definitions.object(&test::EXPECTED_HOOK);
    definitions.put_type("files", test::FILES);
    definitions.put_type("layer", test::LAYER);
    definitions
        .put("agent", json!({"enum": agents::answered().map(|agent| &agent.name).collect::<Vec<_>>()}));
    definitions.put("hook", hook());
    definitions.put("expect", expect());
    object([
        json!({"description": "Events and their expected decisions."}),
        file,
        json!({"$defs": definitions.into_value()}),
    ])
}

fn expect() -> Value {
    json!({
        "description": "`deny`, `ask` or `allow`, the hook that decides, `none`, all hooks that decide, or a mapping.",
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/$defs/hook"}},
            {"$ref": "#/$defs/expectation"},
        ],
    })
}

fn hook() -> Value {
    json!({
        "description": "A hook's id, or a mapping.",
        "anyOf": [{"type": "string", "not": {"const": "none"}}, {"$ref": "#/$defs/expected_hook"}],
    })
}
