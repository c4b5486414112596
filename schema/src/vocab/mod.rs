//! The vocabulary: event types with typed fields, operators, action kinds,
//! return shapes. The built-in one is data in `schema/data/`, in the form in
//! which a file may declare its own.

mod types;

pub use types::{ActionKind, EventType, FieldSchema, OperatorType, ParamType, Strategy, Type, TypeSet};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::tree::{Declarations, Family};
use crate::value::Value;

/// All names that a policy may use.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Event types by family and name.
    pub events: BTreeMap<(Family, String), EventType>,
    /// Action kinds by name.
    pub actions: BTreeMap<String, ActionKind>,
    /// Operators by name, with the types that they are declared for.
    pub operators: BTreeMap<String, OperatorType>,
    /// What an action may return: a JSON Schema, checked by the runtime.
    pub returns: Option<Value>,
}

impl Vocabulary {
    /// The shipped vocabulary. Loaded once, then shared.
    #[must_use]
    pub fn builtin() -> Arc<Self> {
        Arc::default() // stub
    }

    /// This vocabulary as one file sees it: with the file's own declarations
    /// (dialects A). What does not hold in them is told.
    #[must_use]
    pub fn with_declarations(&self, own: &Declarations, out: &mut Vec<Diagnostic>) -> Self {
        let _ = (own, out);
        self.clone() // stub
    }

    /// The event type of `name`: of `family` if that declares it, else of the
    /// first family (thread, agent, repository, skill, workflow) that does.
    #[must_use]
    pub fn event(&self, family: Family, name: &str) -> Option<&EventType> {
        use Family::{Agent, Repository, Skill, Thread, Workflow};
        let order = [family, Thread, Agent, Repository, Skill, Workflow];
        order.iter().find_map(|&family| self.events.get(&(family, name.to_owned())))
    }
}
