//! The hooks of a module: from its names and its source map, and where it was
//! stripped of them by event and rank.

use hookc_vm::Layer;
use hookc_vm::Module;

use super::Row;
use crate::exit::Failure;
use crate::load;

pub(super) fn rows(module: &Module) -> Result<Vec<Row>, Failure> {
    let tables = load::tables(module)?;
    let mut rows = Vec::new();
    for event in tables.events {
        for (hook, rank) in tables.hooks_of(event).iter().zip(0u32..) {
            let index = event.hooks.start.get().saturating_add(rank) as usize;
            let label = tables.labels.get(index);
            let action = usize::try_from(hook.action.get()).ok().and_then(|at| tables.actions.get(at));
            let place = tables.locations.get(index);
            rows.push(Row {
                id: label.map(|label| tables.name(label.name).to_owned()).unwrap_or_default(),
                event: tables.str(event.name.get()).to_owned(),
                layer: label.map_or("", |label| layer(label.layer.get())),
                priority: None,
                enabled: true,
                blocking: None,
                mode: hook.mode().unwrap_or_default().name(),
                matches: None,
                rule: None,
                action: action.map(|action| tables.kind_of(action).to_owned()).unwrap_or_default(),
                command: None,
                trusted_args: None,
                summary: None,
                effects: Vec::new(),
                source: place.map_or_else(String::new, |place| {
                    format!("{}:{}:{}", tables.name(place.file), place.line.get(), place.column.get())
                }),
                rank: Some(rank),
            });
        }
    }
    Ok(rows)
}

fn layer(number: u32) -> &'static str {
    u8::try_from(number).ok().and_then(Layer::from_number).map_or("", Layer::name)
}
