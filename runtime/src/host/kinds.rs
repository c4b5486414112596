//! Names of handlers that a host has by the kinds of actions.

use hookc_base::action::Action;
use hookc_schema::suggest;
use hookc_vm::Module;

/// A name of a handler that is no kind of action, and the kind that it probably means: one of the vocabulary or
/// of the module's actions, which has no handler of its own. For a host that looks its handlers up by name, which
/// would never find this one.
///
/// ```
/// use hookc_runtime::host::misspelt_kind;
/// use hookc_vm::Module;
///
/// # #[cfg(feature = "compiler")] {
/// # use hookc_compiler::{Input, Options, compile};
/// # let mut sources = hookc_schema::Sources::new();
/// # let policy = "action_types: {page: {}}\nhooks: [{event: Stop, action: {type: page}}]";
/// # let source = sources.add("hooks.yaml", policy);
/// # let input = Input::new(source);
/// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
/// let module = Module::load(bytes).unwrap();
/// assert_eq!(misspelt_kind(&["promt"], &module), Some(("promt", "prompt".to_owned())));
/// assert_eq!(misspelt_kind(&["pgae"], &module), Some(("pgae", "page".to_owned())));
/// // The kind of another policy, and a kind beside one that is like it.
/// assert_eq!(misspelt_kind(&["ticket", "page", "pages"], &module), None);
/// # }
/// ```
#[must_use]
pub fn misspelt_kind<'n>(names: &[&'n str], module: &Module) -> Option<(&'n str, String)> {
    let tables = module.tables().ok()?;
    let own = tables.kinds.iter().map(|kind| tables.str(kind.name.get()));
    let known: Vec<&str> = Action::KINDS.iter().map(|(kind, _)| *kind).chain(own).collect();
    names.iter().filter(|name| !known.contains(name)).find_map(|name| {
        let free = known.iter().copied().filter(|kind| !names.contains(kind));
        suggest::nearest(name, free).map(|kind| (*name, kind.to_owned()))
    })
}
