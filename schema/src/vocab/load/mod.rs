//! The loader of declarations, both of the built-in data and of files.

mod actions;
mod events;
mod operators;
mod param;
mod schema;
mod shape;
mod wrappers;

pub(super) use events::strategies;
pub(super) use schema::field;

use std::sync::Arc;

use super::Vocabulary;
use crate::diag::Diagnostics;
use crate::tree::{Declarations, Family};
use crate::value::{Kind, Value};

/// Adds the declarations of a file to `all`.
pub(super) fn declarations(all: &mut Vocabulary, own: &Declarations, out: &mut Diagnostics) {
    let context = own.event_context_schema.as_ref().map(|schema| Arc::new(field(schema, out)));
    if let Some(context) = &context {
        for event in all.events.values_mut() {
            event.schema = Arc::clone(context);
        }
    }
    if let Some(section) = &own.events {
        if context.is_none() {
            events::hiding(all, section, out);
        }
        events::section(all, section, Family::Thread, context.as_ref(), out);
    }
    if let Some(section) = &own.operators {
        operators::check(all, section, out);
    }
    if let Some(section) = &own.combinators {
        operators::check_combinators(all, section, out);
    }
    if let Some(section) = &own.wrappers {
        all.wrappers = wrappers::read(section, out);
    }
    others(all, own, out);
}

/// Adds built-in data to `all`: everything is new, nothing is narrowed.
pub(super) fn builtin(
    all: &mut Vocabulary,
    own: &Declarations,
    events: Option<&Value>,
    family: Family,
    out: &mut Diagnostics,
) {
    if let Some(section) = events {
        events::section(all, section, family, None, out);
    }
    if let Some(section) = &own.operators {
        operators::add(all, section, out);
    }
    if let Some(section) = &own.combinators {
        operators::add_combinators(all, section, out);
    }
    others(all, own, out);
}

fn others(all: &mut Vocabulary, own: &Declarations, out: &mut Diagnostics) {
    if let Some(section) = &own.action_types {
        actions::section(all, section, out);
    }
    if let Some(schema) = &own.return_schema {
        let _ = field(schema, out);
        if matches!(schema.kind, Kind::Map(_) | Kind::Bool(_)) {
            all.returns = Some(schema.clone());
        }
    }
}
