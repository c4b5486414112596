//! Skills of one name: that of the nearer layer takes the place of others.

use std::collections::HashMap;

use hookc_schema::tree::{Layer, Policy};
use hookc_schema::{Code, Diagnostic, Span};

/// Takes away the hooks of skills that another stands in place of, and tells
/// of it; of one layer, both are there. `policies` come with their layers.
pub fn settle(mut policies: Vec<(&mut Policy, Layer)>, out: &mut Vec<Diagnostic>) {
    // The nearer layer first, as written within one.
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
    let what =
        format!("the hooks of this skill `{name}` give way to the skill of that name in a nearer layer");
    (what, "rename one of them to have both")
}

fn both(name: &str) -> (String, &'static str) {
    let what = format!("two skills are called `{name}`: the hooks of both run");
    (what, "rename one, or say whose they are: `--layer user=FOLDER`")
}
