//! Resolves skills of one name: the one of the closer layer replaces the others.

use std::collections::HashMap;

use hookc_schema::tree::{Layer, Policy};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

/// Removes the hooks of replaced skills and reports them. In one layer, both skills apply. Each
/// policy comes with its layer.
pub fn resolve(mut policies: Vec<(&mut Policy, Layer)>, out: &mut Diagnostics) {
    // The closer layer first; in the order of the text within a layer.
    policies.sort_by_key(|(_, layer)| *layer);
    let mut seen: HashMap<String, (Span, Layer, bool)> = HashMap::new();
    for (policy, layer) in policies {
        let Some(name) = policy.skill.as_ref().map(|skill| skill.name.clone()) else { continue };
        let hooks = !policy.hooks.is_empty();
        let Some((first, nearer, theirs)) = seen.get(&name.node) else {
            seen.insert(name.node, (name.span, layer, hooks));
            continue;
        };
        let replaced = *nearer != layer;
        if hooks || (*theirs && !replaced) {
            let (what, help) = if replaced { replaces(&name.node) } else { both(&name.node) };
            let new = Diagnostic::new(Code::W0267, name.span, what).with_label("this one");
            out.push(new.also(*first, "the other").help(help));
        }
        if replaced {
            policy.hooks.clear();
        }
    }
}

fn replaces(name: &str) -> (String, &'static str) {
    let what = format!("a skill `{name}` in a nearer layer replaces the hooks of this one");
    (what, "to use both, rename one of them")
}

fn both(name: &str) -> (String, &'static str) {
    let what = format!("two skills have the name `{name}`: the hooks of both run");
    (what, "rename one, or put one in another layer: `--layer user=DIR`")
}
