//! The vocabulary: event types with typed fields, operators, action kinds,
//! return shapes. The built-in one is data in `schema/data/`, in the form in
//! which a file may declare its own, and read by the same loader.

mod builtin;
mod load;
mod page;
mod tools;
mod types;

pub use builtin::RETURNS;
pub use hookc_base::Strategy;
pub use page::markdown;
pub use types::{
    ActionKind, EventType, FieldSchema, Matcher, Names, OperatorType, ParamType, ToolField, ToolType, Tools,
    Type, TypeSet,
};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::span::Spanned;
use crate::tree::{Declarations, Family};
use crate::value::Value;

/// All names that a policy may use.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Event types by family and name.
    pub events: BTreeMap<(Family, String), EventType>,
    /// What all events of a family have in common: declared event types have
    /// it too.
    pub common: BTreeMap<Family, FieldSchema>,
    /// The built-in tools of coding agents.
    pub tools: Arc<Tools>,
    /// Action kinds by name.
    pub actions: BTreeMap<String, ActionKind>,
    /// Operators by name, with the types that they are declared for.
    pub operators: BTreeMap<String, OperatorType>,
    /// Combinators by name, with the key that stands for each: `and`, `all`.
    pub combinators: BTreeMap<String, String>,
    /// What an action may return: a JSON Schema, checked by the runtime.
    pub returns: Option<Value>,
}

impl Vocabulary {
    /// The shipped vocabulary. Loaded once, then shared.
    #[must_use]
    pub fn builtin() -> Arc<Self> {
        builtin::shared()
    }

    /// This vocabulary as one file sees it: with the file's own declarations
    /// (dialect A). What does not hold in them is reported.
    ///
    /// A declared action kind or parameter that is known may only be narrowed;
    /// leaving one out removes nothing. `event_context_schema` takes the place
    /// of the schema of every event but those that the file declares with a
    /// schema of their own.
    #[must_use]
    pub fn with_declarations(&self, own: &Declarations, out: &mut Vec<Diagnostic>) -> Self {
        let mut all = self.clone();
        load::declarations(&mut all, own, out);
        all
    }

    /// The event type of `name`: of `family` if that declares it, else of the
    /// first family (thread, agent, repository, skill, workflow) that does.
    #[must_use]
    pub fn event(&self, family: Family, name: &str) -> Option<&EventType> {
        let order = std::iter::once(&family).chain(Family::ALL);
        order.into_iter().find_map(|&family| self.events.get(&(family, name.to_owned())))
    }
}

/// The strategies that a file's `events:` names: what two files may disagree
/// about (E0503). Declarations that do not hold are left out.
#[must_use]
pub fn declared_strategies(own: &Declarations) -> Vec<(Family, Spanned<String>, Strategy)> {
    own.events.as_ref().map(load::strategies).unwrap_or_default()
}
