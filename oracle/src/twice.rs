//! Duplicate keys in what a hook reads.

use hookc_schema::tree::{
    Cond, CondKind, EventPattern, Extent, Leaf, Op, Path, PathKind, Predicate, RecallOperator, Right,
    Selection, ViewKind,
};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::FieldSchema;

use crate::cond::is_root;
use crate::decide::Ranked;
use crate::json::Json;
use crate::moment::below_now;
use crate::{acts, history, path, query, template, view};

/// What visits a pattern, with what is read of its events, and the names of quantifiers around it.
type Visit<'v> = dyn FnMut(&EventPattern, Option<&RecallOperator>, &[&str]) + 'v;

/// An event that conditions read: in its hooks, or in a `where`, in which `now` is another event.
#[derive(Clone, Copy)]
struct Read<'a> {
    json: &'a Json,
    schema: Option<&'a FieldSchema>,
    in_where: bool,
}

impl Ranked {
    /// Whether a path that is read meets a duplicate key.
    pub(crate) fn reads_twice(&self, json: &Json) -> bool {
        let read = Read { json, schema: self.schema.as_deref(), in_where: false };
        let in_condition =
            self.hook.condition.as_ref().is_some_and(|cond| self.cond_twice(cond, read, &mut Vec::new()));
        in_condition || self.hook.action.params.iter().any(|(_, value)| self.value_twice(value, read))
    }

    /// Whether a path of a pattern that means the event meets a duplicate key.
    pub(crate) fn observes_twice(&self, event: &str, json: &Json) -> bool {
        let schema = self.vocabulary.event(self.family, event).map(|event| &*event.schema);
        let read = Read { json, schema, in_where: true };
        let mut is_twice = false;
        self.patterns(&mut |pattern, operator, names| {
            let is_meant = pattern.names.iter().any(|name| self.is_type(&name.node, event));
            is_twice |= is_meant
                && (pattern.condition.iter().any(|cond| self.cond_twice(cond, read, &mut names.to_vec()))
                    || operator.is_some_and(|operator| self.operator_twice(operator, read)));
        });
        is_twice
    }

    /// Whether a pattern means events of a type.
    pub(crate) fn observes(&self, event: &str) -> bool {
        let mut is_meant = false;
        self.patterns(&mut |pattern, _, _| {
            is_meant |= pattern.names.iter().any(|name| self.is_type(&name.node, event));
        });
        is_meant
    }

    /// Visits each pattern of the hook's history, those of facts and those inside of others too, with what is read of
    /// its events, and with the names of quantifiers around it.
    fn patterns(&self, visit: &mut Visit<'_>) {
        self.hook.condition.iter().for_each(|cond| self.patterns_in(cond, &[], visit));
    }

    fn patterns_in(&self, cond: &Cond, around: &[&str], visit: &mut Visit<'_>) {
        let mut found = Vec::new();
        history::selections(cond, &mut around.to_vec(), &mut found);
        for (selection, operator, names) in found {
            self.pattern(&selection.of, operator, &names, visit);
            selection.since.iter().for_each(|since| self.pattern(since, None, &names, visit));
            if selection.within.as_ref().is_some_and(|within| within.node == Extent::Turn) {
                visit(&history::prompt(), None, &[]);
            }
        }
    }

    fn pattern(
        &self,
        pattern: &EventPattern,
        operator: Option<&RecallOperator>,
        names: &[&str],
        visit: &mut Visit<'_>,
    ) {
        pattern.condition.iter().for_each(|cond| self.patterns_in(cond, names, visit));
        match self.fact(pattern) {
            None => visit(pattern, operator, names),
            Some(fact) => {
                for one in &fact.patterns {
                    let types = one.pattern.names.clone();
                    visit(&EventPattern { names: types, ..pattern.clone() }, operator, names);
                    self.pattern(&one.pattern, None, &[], visit);
                }
            }
        }
    }

    /// Whether a value that a pattern keeps has a duplicate key.
    fn operator_twice(&self, operator: &RecallOperator, read: Read<'_>) -> bool {
        match operator {
            RecallOperator::Count => false,
            RecallOperator::Sum(path) => self.twice(path, false, read),
            RecallOperator::Distinct(paths) => paths.iter().any(|path| self.twice(path, true, read)),
            RecallOperator::Last { rest, .. } => self.twice(&history::last_path(rest), true, read),
        }
    }

    /// Whether a path of the current event in a `where` of its selection meets a duplicate key.
    fn now_twice(&self, selection: &Selection, read: Read<'_>) -> bool {
        let conds = selection.patterns().filter_map(|pattern| pattern.condition.as_ref());
        conds.into_iter().any(|cond| self.cond_now_twice(cond, read))
    }

    fn cond_now_twice(&self, cond: &Cond, read: Read<'_>) -> bool {
        match &cond.kind {
            CondKind::Const(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => false,
            CondKind::All(conds) | CondKind::Any(conds) => {
                conds.iter().any(|cond| self.cond_now_twice(cond, read))
            }
            CondKind::Not(cond) => self.cond_now_twice(cond, read),
            CondKind::Quantified(inner) => self.cond_now_twice(&inner.cond, read),
            CondKind::Leaf(leaf) => history::paths(leaf)
                .filter_map(below_now)
                .any(|path| self.twice(&path, uses_whole(leaf), Read { in_where: false, ..read })),
        }
    }

    fn twice(&self, path: &Path, whole: bool, read: Read<'_>) -> bool {
        let json = read.json;
        if let PathKind::Recall(recall) = &path.kind {
            return self.now_twice(&recall.selection, read);
        }
        if read.in_where && below_now(path).is_some() {
            return false;
        }
        if let PathKind::View(view) = &path.kind {
            let settings = match view.kind {
                ViewKind::Shell => view::settings_twice(json, &["cwd", "tool_name"]),
                ViewKind::File if self.declared.project().is_some() => view::settings_twice(json, &["cwd"]),
                ViewKind::File => view::settings_twice(json, &["cwd", "project_dir"]),
                ViewKind::Effects => self.effects_twice(false, read),
                ViewKind::Size => false,
            };
            return self.twice(&view.source, false, read)
                || settings
                || query::filters_have_duplicates(&view.rest, json);
        }
        match path::several(path) {
            Some(query) => query::has_duplicates(query, json),
            None => path::places(path, read.schema).is_some_and(|places| places.has_duplicates(json, whole)),
        }
    }

    /// Whether a part of the event that says what it does has a duplicate key.
    fn effects_twice(&self, reads_success: bool, read: Read<'_>) -> bool {
        acts::reads_twice(read.schema, read.json, reads_success, self.declared.project().is_some())
    }

    fn cond_twice<'c>(&self, cond: &'c Cond, read: Read<'_>, names: &mut Vec<&'c str>) -> bool {
        match &cond.kind {
            CondKind::Const(_) => false,
            CondKind::Predicate(predicate) => {
                self.effects_twice(matches!(**predicate, Predicate::Passed(_)), read)
            }
            CondKind::All(conds) | CondKind::Any(conds) => {
                conds.iter().any(|cond| self.cond_twice(cond, read, names))
            }
            CondKind::Formerly(selection) => self.now_twice(selection, read),
            CondKind::Not(cond) => self.cond_twice(cond, read, names),
            CondKind::Leaf(leaf) => {
                let whole = uses_whole(leaf);
                let twice = |path: &Path| is_root(path, names) && self.twice(path, whole, read);
                matches!(&leaf.right, Right::Path(path) if twice(path)) || twice(&leaf.path)
            }
            // The nodes are used as a whole, whatever the condition reads of them.
            CondKind::Quantified(inner) => {
                let nodes = is_root(&inner.path, names) && self.twice(&inner.path, true, read);
                names.push(&inner.name.node);
                let twice = nodes || self.cond_twice(&inner.cond, read, names);
                names.pop();
                twice
            }
        }
    }

    fn value_twice(&self, value: &Value, read: Read<'_>) -> bool {
        match &value.kind {
            Kind::Str(text) if self.hook.action.templates => {
                let parts = self.parts(&text.value);
                let twice = |path: &Path| !self.is_because(path) && self.twice(path, true, read);
                parts.iter().any(|part| matches!(part, template::Part::Hole(path, _) if twice(path)))
            }
            Kind::Seq(items) => items.iter().any(|item| self.value_twice(item, read)),
            Kind::Map(members) => members.iter().any(|member| self.value_twice(&member.value, read)),
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
