//! What is said of a file that fits no dialect.

use hookc_schema::{Code, Diagnostic, SourceId, Span};

use super::shape::{Holds, Shape};
use crate::Dialect;

/// The diagnostic for a file that fits none: lists what was tried.
#[must_use]
pub fn unknown(source: SourceId, name: &str, text: &str) -> Diagnostic {
    let names: Vec<_> = Dialect::ALL.iter().map(|one| format!("`{}`", one.name())).collect();
    let mut new = Diagnostic::new(
        Code::E0003,
        Span { source, start: 0, end: 0 },
        format!("the dialect of `{name}` cannot be told from its name and shape"),
    );
    let shape = Shape::of(text);
    for dialect in Dialect::written() {
        new = new.note(format!("not {}: {}", dialect.name(), why(dialect, &shape)));
    }
    let agents: Vec<_> =
        Dialect::ALL.iter().filter(|one| one.agent().is_some()).map(|one| one.name()).collect();
    new = new.note(format!("not {}: no event of theirs below `hooks`", agents.join(", ")));
    new.help(format!("say which it is with `--dialect`: {}", names.join(", ")))
}

fn why(dialect: Dialect, shape: &Shape) -> String {
    let text = match dialect {
        Dialect::HooksYaml => return policy(shape).to_owned(),
        Dialect::DirectiveXml => {
            "the text does not start with `<directive` or `<?xml`, nor has a fence that does"
        }
        Dialect::Settings => return settings(shape),
        Dialect::Repository => "no `event_type` beside a `handler` at the root",
        Dialect::Skill => "the text does not start with front matter between two lines of `---`",
        Dialect::Workflow => {
            "neither `subscribed_artifacts`, nor `pre_decision`, `post_decision`, `post_action` or `on_error` \
             below `hooks`, `steps` or `workflow`"
        }
        _ => "no event of this agent below `hooks`",
    };
    text.to_owned()
}

fn policy(shape: &Shape) -> &'static str {
    match shape.hooks {
        _ if !shape.mapping => "the text is not a mapping",
        Some(Holds::Mapping) => "`hooks` holds a mapping where a policy has a list of hooks",
        Some(_) => "`hooks` does not hold a list",
        None => "neither `hooks` nor `builtin_hooks` at the root",
    }
}

fn settings(shape: &Shape) -> String {
    match shape.hooks {
        Some(Holds::Mapping) if !shape.flow => "the text is not JSON".to_owned(),
        Some(Holds::Mapping) => {
            let names: Vec<_> = shape.below.iter().take(3).map(|name| format!("`{name}`")).collect();
            format!("`hooks` has no event of a coding agent in it, but {}", names.join(", "))
        }
        Some(_) => "`hooks` does not hold a mapping of events".to_owned(),
        None => "neither `hooks` nor an event of a coding agent at the root".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_none_says_why() {
        let new = unknown(SourceId(0), "x.json", "{\"hooks\": {\"preToolUze\": []}}");
        assert_eq!(new.notes.len(), Dialect::written().count() + 1);
        assert!(new.notes.iter().any(|note| note.contains("but `preToolUze`")), "{new:?}");
        assert!(new.help.is_some_and(|help| help.contains("`--dialect`: `hooks-yaml`")));
    }
}
