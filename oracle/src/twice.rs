//! Duplicate keys in what a hook reads.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, PathKind, Predicate, Right, ViewKind};
use hookc_schema::value::{Kind, Value};

use crate::cond::is_root;
use crate::decide::Ranked;
use crate::json::Json;
use crate::{acts, path, query, template, view};

impl Ranked {
    /// Whether a path that is read meets a duplicate key.
    pub(crate) fn reads_twice(&self, json: &Json) -> bool {
        let in_condition =
            self.hook.condition.as_ref().is_some_and(|cond| self.cond_twice(cond, json, &mut Vec::new()));
        in_condition || self.hook.action.params.iter().any(|(_, value)| self.value_twice(value, json))
    }

    fn twice(&self, path: &Path, whole: bool, json: &Json) -> bool {
        if let PathKind::View(view) = &path.kind {
            let settings = match view.kind {
                ViewKind::Shell => view::settings_twice(json, &["cwd", "tool_name"]),
                ViewKind::File if self.declared.project().is_some() => view::settings_twice(json, &["cwd"]),
                ViewKind::File => view::settings_twice(json, &["cwd", "project_dir"]),
                ViewKind::Effects => self.effects_twice(false, json),
                ViewKind::Size => false,
            };
            return self.twice(&view.source, false, json)
                || settings
                || query::filters_have_duplicates(&view.rest, json);
        }
        match path::several(path) {
            Some(query) => query::has_duplicates(query, json),
            None => self.places(path).is_some_and(|places| places.has_duplicates(json, whole)),
        }
    }

    /// Whether a part of the event that says what it does has a duplicate key.
    fn effects_twice(&self, reads_success: bool, json: &Json) -> bool {
        acts::reads_twice(self.schema.as_deref(), json, reads_success, self.declared.project().is_some())
    }

    fn cond_twice<'c>(&self, cond: &'c Cond, json: &Json, names: &mut Vec<&'c str>) -> bool {
        match &cond.kind {
            CondKind::Const(_) => false,
            CondKind::Predicate(predicate) => {
                self.effects_twice(matches!(**predicate, Predicate::Passed(_)), json)
            }
            CondKind::All(conds) | CondKind::Any(conds) => {
                conds.iter().any(|cond| self.cond_twice(cond, json, names))
            }
            CondKind::Not(cond) => self.cond_twice(cond, json, names),
            CondKind::Leaf(leaf) => {
                let whole = uses_whole(leaf);
                let twice = |path: &Path| is_root(path, names) && self.twice(path, whole, json);
                matches!(&leaf.right, Right::Path(path) if twice(path)) || twice(&leaf.path)
            }
            // The nodes are used as a whole, whatever the condition reads of them.
            CondKind::Quantified(inner) => {
                let nodes = is_root(&inner.path, names) && self.twice(&inner.path, true, json);
                names.push(&inner.name.node);
                let twice = nodes || self.cond_twice(&inner.cond, json, names);
                names.pop();
                twice
            }
        }
    }

    fn value_twice(&self, value: &Value, json: &Json) -> bool {
        match &value.kind {
            Kind::Str(text) if self.hook.action.templates => {
                let parts = self.parts(&text.value);
                let twice = |path: &Path| !self.is_because(path) && self.twice(path, true, json);
                parts.iter().any(|part| matches!(part, template::Part::Hole(path, _) if twice(path)))
            }
            Kind::Seq(items) => items.iter().any(|item| self.value_twice(item, json)),
            Kind::Map(members) => members.iter().any(|member| self.value_twice(&member.value, json)),
            _ => false,
        }
    }
}

/// Whether the result of a leaf can depend on the content of an object.
fn uses_whole(leaf: &Leaf) -> bool {
    let container = |value: &Value| matches!(value.kind, Kind::Seq(_) | Kind::Map(_));
    match (&leaf.right, leaf.op.node) {
        (_, Op::Matches) => true,
        (Right::Path(_), Op::Eq | Op::Ne | Op::In | Op::Contains) => true,
        (Right::Value(value), Op::Eq | Op::Ne) => container(value),
        (Right::Value(value), Op::In) => match &value.kind {
            Kind::Seq(items) => items.iter().any(container),
            _ => false,
        },
        _ => false,
    }
}
