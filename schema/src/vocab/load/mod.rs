//! The loader of declarations, both of the built-in data and of files.

mod actions;
mod events;
mod operators;
mod param;
mod schema;
mod shape;
mod wrappers;

use events::Defaults;
pub(super) use events::strategies;
pub(super) use schema::field;

use std::sync::Arc;

use super::Vocabulary;
use crate::diag::Diagnostics;
use crate::tree::{Declarations, Family};
use crate::value::{Kind, Value};

/// Adds the declarations of a file to `all`.
pub(super) fn declarations(vocabulary: &mut Vocabulary, declarations: &Declarations, out: &mut Diagnostics) {
    let context = declarations.event_context_schema.as_ref().map(|schema| Arc::new(field(schema, out)));
    if let Some(context) = &context {
        for event in vocabulary.events.values_mut() {
            event.schema = Arc::clone(context);
        }
    }
    if let Some(section) = &declarations.events {
        if context.is_none() {
            events::hiding(vocabulary, section, out);
        }
        let defaults = Defaults { family: Family::Thread, context: context.as_ref(), prevents: true };
        events::section(vocabulary, section, defaults, out);
    }
    if let Some(section) = &declarations.operators {
        operators::check(vocabulary, section, out);
    }
    if let Some(section) = &declarations.combinators {
        operators::check_combinators(vocabulary, section, out);
    }
    if let Some(section) = &declarations.wrappers {
        vocabulary.wrappers = wrappers::read(section, out);
    }
    others(vocabulary, declarations, out);
}

/// Adds built-in data to `all`: everything is new, nothing is narrowed.
pub(super) fn builtin(
    vocabulary: &mut Vocabulary,
    declarations: &Declarations,
    events: Option<&Value>,
    family: Family,
    out: &mut Diagnostics,
) {
    if let Some(section) = events {
        events::section(vocabulary, section, Defaults { family, context: None, prevents: false }, out);
    }
    if let Some(section) = &declarations.operators {
        operators::add(vocabulary, section, out);
    }
    if let Some(section) = &declarations.combinators {
        operators::add_combinators(vocabulary, section, out);
    }
    others(vocabulary, declarations, out);
}

fn others(vocabulary: &mut Vocabulary, declarations: &Declarations, out: &mut Diagnostics) {
    if let Some(section) = &declarations.action_types {
        actions::section(vocabulary, section, out);
    }
    if let Some(schema) = &declarations.return_schema {
        let _ = field(schema, out);
        if matches!(schema.kind, Kind::Map(_) | Kind::Bool(_)) {
            vocabulary.returns = Some(schema.clone());
        }
    }
}
