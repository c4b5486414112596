//! The known event types: those of the hooks of a policy, of its own `events:`, and of the shipped
//! vocabulary. No hook matches an event of another type, so a test with such an event would pass by
//! accident.

use std::collections::BTreeSet;

use hookc_schema::agents::{self, Agent};
use hookc_schema::tree::{Family, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, suggest};
use hookc_vm::Module;

/// The event types of a policy, in addition to those of the shipped vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTypes {
    names: BTreeSet<String>,
}

impl EventTypes {
    /// Those of policies as written: of all hooks, disabled ones too, and of
    /// their declarations.
    #[must_use]
    pub fn of_policies(policies: &[Policy]) -> Self {
        let mut names = BTreeSet::new();
        for policy in policies {
            let hooks = policy.hooks.iter().flat_map(|hook| &hook.events);
            names.extend(hooks.map(|event| event.node.clone()));
            if policy.declarations.events.is_some() {
                // Their errors are reported during compilation.
                let declared =
                    Vocabulary::builtin().with_declarations(&policy.declarations, &mut Diagnostics::new());
                names.extend(declared.events.into_keys().map(|(_, name)| name));
            }
        }
        Self { names }
    }

    /// Those of a module: only of its hooks, because it has no declarations.
    #[must_use]
    pub fn of_module(module: &Module) -> Self {
        Self { names: module.events().map(|event| event.name.to_owned()).collect() }
    }

    /// Whether a hook or a vocabulary knows the type.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.names.contains(name) || Vocabulary::builtin().event(Family::Thread, name).is_some()
    }

    /// The closest known type: the one that an agent has under this name, or under almost this name.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<String> {
        let vocabulary = Vocabulary::builtin();
        let shipped = vocabulary.events.keys().map(|(_, name)| name.as_str());
        let known = self.names.iter().map(String::as_str);
        let native = agents::all().flat_map(Agent::renamed).map(|event| event.name.as_str());
        let spelled = || suggest::nearest_spelling(name, known.chain(shipped).chain(native));
        let near = agents::event_like(name).or_else(spelled)?;
        Some(if self.knows(near) { near } else { agents::event_like(near)? }.to_owned())
    }

    /// The diagnostic for an unknown type; `None` for a known one.
    #[must_use]
    pub fn unknown(&self, name: &str, span: Span) -> Option<Diagnostic> {
        if self.knows(name) {
            return None;
        }
        let message =
            format!("unknown event type `{name}`: no hook handles it and no vocabulary declares it");
        let new = Diagnostic::new(Code::E0004, span, message).with_label("unknown event type");
        Some(match self.nearest(name) {
            Some(near) => new.did_you_mean(Some(&near), span),
            None => new.help("write the type of an event that a hook handles, or declare it under `events:`"),
        })
    }
}
