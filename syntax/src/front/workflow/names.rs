//! Checks that something provides the names in arguments: the event, an earlier hook that injects
//! them, or a step of the workflow. A missing value stays as written at run time, so the mistake
//! would not be visible.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use hookc_schema::dialect::workflow::{HOOK, LEVEL, POINTS};
use hookc_schema::suggest::nearest_spelling;
use hookc_schema::tree::Family;
use hookc_schema::value::{Member, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::SUBSCRIBED;
use super::level::each_member;
use crate::limits;

/// The order of a hook: its timing point, then its position among all hooks.
type Rank = (usize, usize);

/// The names that the hooks of a file use and inject.
#[derive(Debug, Default)]
pub(super) struct Names {
    uses: Vec<(Spanned<String>, Rank)>,
    /// The injected names, with the first hook of each.
    injected: HashMap<String, (Rank, Span)>,
}

impl Names {
    /// Records the names that a hook uses: the `index`-th of all, at timing point `point`.
    pub(super) fn used(&mut self, names: Vec<Spanned<String>>, point: usize, index: usize) {
        self.uses.extend(names.into_iter().map(|name| (name, (point, index))));
    }

    /// Records a name that such a hook injects.
    pub(super) fn injected(&mut self, name: &Spanned<String>, point: usize, index: usize) {
        let new = ((point, index), name.span);
        let first = self.injected.entry(name.node.clone()).or_insert(new);
        if new.0 < first.0 {
            *first = new;
        }
    }

    /// Reports each name that nothing provides.
    pub(super) fn check(&self, root: &Value, out: &mut Diagnostics) {
        if self.uses.is_empty() {
            return;
        }
        let vocabulary = Vocabulary::builtin();
        let (made, unread) = (made(root), OnceCell::new());
        let mut near = Near::default();
        for (name, rank) in &self.uses {
            let head = name.node.split('.').next().unwrap_or("");
            let event =
                POINTS.keys.get(rank.0).and_then(|point| vocabulary.event(Family::Workflow, point.name));
            let fields = || event.into_iter().flat_map(|event| event.schema.properties.keys());
            // The checker reports a name that resembles a declared one, as a path.
            let known = fields().any(|field| field == head) || made.contains(head);
            let injected = self.injected.get(head);
            let before = injected.is_some_and(|(first, _)| first < rank);
            // A hook that is not read was reported.
            let lost = || injected.is_none() && unread.get_or_init(|| written(root)).contains(head);
            if known || before || lost() || nearest_spelling(head, fields().map(String::as_str)).is_some() {
                continue;
            }
            out.push(match injected {
                Some((_, later)) => too_early(name, head, *later),
                None => unknown(name, head, near.name_for(head, &self.injected)),
            });
        }
    }
}

/// The injected names that are near to others: each is looked up once, and so many pairs
/// are compared at most.
struct Near<'n> {
    room: usize,
    /// The injected names, once they are needed, in order.
    sorted: Option<Vec<&'n str>>,
    found: HashMap<&'n str, Option<&'n str>>,
}

impl Default for Near<'_> {
    fn default() -> Self {
        Self { room: limits::SUGGESTIONS, sorted: None, found: HashMap::new() }
    }
}

impl<'n> Near<'n> {
    fn name_for(&mut self, head: &'n str, injected: &'n HashMap<String, (Rank, Span)>) -> Option<&'n str> {
        if let Some(found) = self.found.get(head) {
            return *found;
        }
        let found = self.search(head, injected);
        self.found.insert(head, found);
        found
    }

    fn search(&mut self, head: &str, injected: &'n HashMap<String, (Rank, Span)>) -> Option<&'n str> {
        self.room = self.room.checked_sub(injected.len())?;
        let names = self.sorted.get_or_insert_with(|| {
            let mut names: Vec<&str> = injected.keys().map(String::as_str).collect();
            names.sort_unstable();
            names
        });
        nearest_spelling(head, names.iter().copied())
    }
}

fn unknown(name: &Spanned<String>, head: &str, near: Option<&str>) -> Diagnostic {
    let new = Diagnostic::new(Code::W0277, name.span, format!("`{head}` is not defined"));
    let new = new.with_label("not substituted if missing");
    let new = new.note("it is neither a field of the event nor injected by an earlier hook");
    match near {
        Some(near) => new.help(format!("did you mean `{{{near}}}`?")),
        None => new.help("add it to the event, or inject it with `inject_as`"),
    }
}

fn too_early(name: &Spanned<String>, head: &str, later: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::W0277, name.span, format!("`{head}` is injected later"));
    let new = new.with_label("not yet defined").also(later, "injected here");
    new.help("move the hook that injects it before this one")
}

/// The names that steps define: their `output_key`s, and the words of their code.
fn made(root: &Value) -> HashSet<&str> {
    let mut names = HashSet::new();
    each_member(root, |member| match (member.key.node.as_str(), member.value.as_str()) {
        ("hooks", _) => false,
        ("output_key", Some(name)) => {
            names.insert(name);
            false
        }
        ("code", Some(code)) => {
            names.extend(code.split(|c: char| !word(c)));
            false
        }
        _ => true,
    });
    names
}

/// All names that are written as injected, those of invalid or misplaced hooks and subscriptions too.
fn written(root: &Value) -> HashSet<String> {
    let mut names = HashSet::new();
    each_member(root, |Member { key, value }| {
        if HOOK.near(&key.node) == Some("inject_as") {
            names.extend(value.as_str().map(str::to_owned));
        } else if LEVEL.near(&key.node) == Some("subscribed_artifacts") {
            let texts = value.as_str().into_iter().chain(value.items().iter().filter_map(Value::as_str));
            names.extend(texts.map(|text| format!("{SUBSCRIBED}{text}")));
        }
        true
    });
    names
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
