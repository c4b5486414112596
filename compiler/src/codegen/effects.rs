//! Programs of policies, predicates about effects, and where the actions of events come from.

use std::collections::HashMap;

use hookc_shell::programs::Described;
use hookc_vm::format::{Effect, Image, Range, Scope};

use super::tables::optional;
use crate::plan::Plan;
use crate::rows::range;

pub(super) fn add(plan: &Plan, image: &mut Image) {
    let mut known: HashMap<&[u8], Range> = HashMap::new();
    let mut blob = Vec::new();
    let programs: Vec<Vec<u8>> = plan.programs.iter().map(Described::to_bytes).collect();
    let mut bytes = |bytes| {
        *known.entry(bytes).or_insert_with(|| {
            let start = blob.len();
            blob.extend_from_slice(bytes);
            range(start, blob.len())
        })
    };
    image.programs = programs.iter().map(|program| bytes(program)).collect();
    for row in &plan.scopes {
        let scope = Scope {
            input: row.input.0.into(),
            tool: optional(row.tool.map(|slot| slot.0)).into(),
            host_tool: optional(row.host_tool.map(|slot| slot.0)).into(),
            cwd: row.cwd.0.into(),
            project: optional(row.project.map(|slot| slot.0)).into(),
            stated: optional(row.stated.map(|string| string.0)).into(),
            tools: bytes(&row.tools),
        };
        image.scopes.push(scope);
    }
    for row in &plan.effects {
        let effect = Effect { predicate: bytes(&row.predicate), scope: row.scope.0.into() };
        image.effects.push(effect);
    }
    image.blob = blob;
}
