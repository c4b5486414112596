//! Names that a program may have misspelt, which no hook would ever match.

use hookc_base::action::Action;
use hookc_base::{event_names, suggest};

use super::Module;

impl Module {
    /// The event type that a program probably means by a name which no hook of the module and no vocabulary has: no hook
    /// ever matches an event of such a type.
    ///
    /// ```
    /// # let module = hookc_vm::Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// assert_eq!(module.misspelt_event_type("PreToolUsed"), Some("PreToolUse"));
    /// // The name that an agent has for it.
    /// assert_eq!(module.misspelt_event_type("BeforeTool"), Some("PreToolUse"));
    /// assert_eq!(module.misspelt_event_type("PostToolUse"), None);
    /// # Ok::<(), hookc_vm::LoadError>(())
    /// ```
    #[must_use]
    pub fn misspelt_event_type(&self, name: &str) -> Option<&str> {
        event_names::misspelt(name, self.events().map(|event| event.name))
    }

    /// A name of a handler that is no kind of action, and the kind that it probably means: one of the vocabulary or of
    /// the module's actions, which has no handler of its own. For a program that finds its handlers by name, which would
    /// never find this one.
    ///
    /// ```
    /// # let module = hookc_vm::Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// assert_eq!(module.misspelt_kind(&["promt"]), Some(("promt", "prompt")));
    /// // The kind of another policy, and a kind next to one that is like it.
    /// assert_eq!(module.misspelt_kind(&["ticket", "prompt", "promts"]), None);
    /// # Ok::<(), hookc_vm::LoadError>(())
    /// ```
    #[must_use]
    pub fn misspelt_kind<'n>(&'n self, names: &[&'n str]) -> Option<(&'n str, &'n str)> {
        let tables = self.tables().ok()?;
        let declared = tables.kinds.iter().map(|kind| tables.str(kind.name.get()));
        let known: Vec<&'n str> = Action::KINDS.iter().map(|(kind, _)| *kind).chain(declared).collect();
        names.iter().filter(|name| !known.contains(name)).find_map(|name| {
            let free = known.iter().copied().filter(|kind| !names.contains(kind));
            suggest::nearest(name, free).map(|kind| (*name, kind))
        })
    }
}
