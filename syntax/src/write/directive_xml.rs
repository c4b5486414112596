//! Writes directive XML that reads back to an equal tree.
//!
//! Conditions are written as elements, not as `when=`: elements need no second grammar. Values have
//! `type=` only if their text alone would be read as another type. A hook that XML cannot express
//! is omitted and reported.

mod effects;
mod history;
mod loss;
mod value;

use std::collections::HashSet;

use hookc_base::action::Kind as ActionKind;
use hookc_schema::tree::{
    Action, Cond, CondKind, EventPattern, Example, Hook, Leaf, Policy, Predicate, Right,
};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::Vocabulary;
use quick_xml::Writer;
use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use super::Loss;
use super::history::levels;
use crate::expr::print;
use crate::front::directive_xml::Declared;

/// Conditions nested deeper than this are written as `when=`, and values as JSON, because a
/// reader's limit includes the elements around them.
const DEPTH: usize = 64;

/// The policy in the dialect, and its losses. `schema_version` belongs to the other notation and is
/// not a loss.
#[must_use]
pub fn write(policy: &Policy) -> (String, Vec<Loss>) {
    let mut losses = loss::declarations(&policy.declarations);
    let vocabulary = Vocabulary::builtin();
    let facts = policy.facts.iter().map(|fact| fact.name.node.as_str()).collect();
    let out = Writer::new_with_indent(Vec::new(), b' ', 2);
    let mut xml = Xml { out, vocabulary: &vocabulary, facts };
    xml.open("directive", &[("name", "hooks"), ("version", "1.0.0")]);
    xml.open("hooks", &[]);
    if let Some(Value { kind: Kind::Seq(wrappers), .. }) = &policy.declarations.wrappers {
        wrappers.iter().for_each(|wrapper| xml.wrapper(wrapper));
    }
    xml.effect_declarations(&policy.declarations);
    losses.extend(xml.facts(&policy.facts));
    for hook in &policy.hooks {
        match loss::hook(hook) {
            None => {
                xml.hook(hook);
            }
            Some(loss) => losses.push(loss),
        }
    }
    xml.close("hooks");
    xml.close("directive");
    let mut text = String::from_utf8(xml.out.into_inner()).unwrap_or_default();
    text.push('\n');
    (text, losses)
}

/// Attributes in order.
type Attributes<'a> = Vec<(&'static str, &'a str)>;

struct Xml<'v> {
    out: Writer<Vec<u8>>,
    vocabulary: &'v Vocabulary,
    /// The names of the facts.
    facts: HashSet<&'v str>,
}

impl Xml<'_> {
    fn event(&mut self, event: Event<'_>) {
        // Writing to memory does not fail.
        let _ = self.out.write_event(event);
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Start(BytesStart::new(name).with_attributes(attributes.iter().copied())));
    }

    fn close(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Empty(BytesStart::new(name).with_attributes(attributes.iter().copied())));
    }

    /// An element with text, which a reader trims by default.
    fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        let mut start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        if text.starts_with(white) || text.ends_with(white) {
            start.push_attribute(("xml:space", "preserve"));
        }
        self.event(Event::Start(start));
        self.event(Event::Text(BytesText::from_escaped(partial_escape(text))));
        self.close(name);
    }

    fn hook(&mut self, hook: &Hook) {
        let events: Vec<_> = hook.events.iter().map(|event| event.node.as_str()).collect();
        let events = events.join(", ");
        let deep = hook.condition.as_ref().filter(|condition| needs_expression(condition));
        let when = deep.map(|condition| print::when(condition, print::Operators::Words));
        let mut attributes: Attributes<'_> = vec![("event", events.as_str())];
        attributes.extend(when.as_deref().map(|when| ("when", when)));
        attributes.extend(hook.id.as_ref().map(|id| ("id", id.node.as_str())));
        attributes.extend(hook.priority.as_ref().map(|priority| ("priority", priority.node.0.as_str())));
        attributes.extend(hook.enabled.as_ref().map(|enabled| ("enabled", boolean(enabled.node))));
        attributes.extend(hook.mode.as_ref().map(|mode| ("mode", mode.node.name())));
        attributes.extend(hook.on_error.as_ref().map(|on| ("on_error", on.node.name())));
        attributes.extend(hook.on_failure.as_ref().map(|on| ("on_failure", on.node.name())));
        self.open("hook", &attributes);
        if let Some(description) = &hook.description {
            self.text("description", &[], &description.node);
        }
        if let Some(condition) = hook.condition.as_ref().filter(|_| deep.is_none()) {
            self.condition(condition);
        }
        self.action(&hook.action);
        hook.examples.iter().for_each(|example| self.example(example));
        self.close("hook");
    }

    /// A declared wrapper.
    fn wrapper(&mut self, wrapper: &Value) {
        if let Some(name) = wrapper.as_str() {
            return self.empty("wrapper", &[("name", name)]);
        }
        let options = match wrapper.get("options_with_values").map(|options| &options.kind) {
            Some(Kind::Seq(options)) => {
                options.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        let mut attributes: Attributes<'_> = Vec::new();
        attributes.extend(wrapper.get("name").and_then(Value::as_str).map(|name| ("name", name)));
        attributes.extend((!options.is_empty()).then_some(("options_with_values", options.as_str())));
        if let Some(Kind::Num(count)) = wrapper.get("operands").map(|count| &count.kind) {
            attributes.push(("operands", &count.0));
        }
        attributes
            .extend(wrapper.get("description").and_then(Value::as_str).map(|about| ("description", about)));
        self.empty("wrapper", &attributes);
    }

    fn example(&mut self, example: &Example) {
        let json = value::json(&example.event);
        let mut attributes: Attributes<'_> = vec![("matches", boolean(example.matches))];
        attributes.extend(example.at.as_ref().map(|at| ("at", at.node.as_str())));
        if example.history.is_empty() {
            return self.text("example", &attributes, &json);
        }
        self.open("example", &attributes);
        for earlier in &example.history {
            let mut attributes: Attributes<'_> = Vec::new();
            attributes.extend(earlier.at.as_ref().map(|at| ("at", at.node.as_str())));
            attributes.extend(earlier.outcome.map(|outcome| ("outcome", outcome.node.name())));
            self.text("history", &attributes, &value::json(&earlier.event));
        }
        self.event(Event::Text(BytesText::from_escaped(partial_escape(&json))));
        self.close("example");
    }

    fn condition(&mut self, condition: &Cond) {
        match &condition.kind {
            CondKind::Const(value) => self.empty(boolean(*value), &[]),
            CondKind::All(conds) => self.several("all", conds),
            CondKind::Any(any) => self.several("any", any),
            CondKind::Not(inner) => self.several("not", std::slice::from_ref(inner)),
            CondKind::Leaf(leaf) => self.leaf(leaf),
            CondKind::Quantified(inner) => {
                let (word, path) = (inner.quantifier.name(), print::path(&inner.path));
                self.open(word, &[("as", &inner.name.node), ("in", &path)]);
                self.condition(&inner.cond);
                self.close(word);
            }
            CondKind::Predicate(predicate) => self.predicate(predicate),
            CondKind::Formerly(selection) => self.formerly(selection),
        }
    }

    fn several(&mut self, name: &str, conditions: &[Cond]) {
        if conditions.is_empty() {
            return self.empty(name, &[]);
        }
        self.open(name, &[]);
        conditions.iter().for_each(|condition| self.condition(condition));
        self.close(name);
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let path = print::path(&leaf.path);
        let mut attributes = vec![("path", path.as_str()), ("op", leaf.op.node.name())];
        let right;
        match &leaf.right {
            Right::None => {}
            Right::Value(value) => {
                let (form, text) = value::plain(value, Declared::inner(""));
                right = text;
                attributes.extend(form.map(|form| ("type", form)));
                attributes.push(("value", &right));
            }
            Right::Path(path) => {
                right = print::path(path);
                attributes.push(("value_path", &right));
            }
        }
        attributes.extend(leaf.ignore_case.map(|_| ("ignore_case", "true")));
        attributes.extend(leaf.assert_format.map(|_| ("assert_format", "true")));
        self.empty("condition", &attributes);
    }

    fn action(&mut self, action: &Action) {
        if self.call(action) {
            return;
        }
        let kind = action.kind.node.as_str();
        if action.params.is_empty() {
            return self.empty("action", &[("type", kind)]);
        }
        self.open("action", &[("type", kind)]);
        for (name, value) in &action.params {
            let declared = Declared::for_param(self.vocabulary, kind, &name.node);
            self.param(Some(&name.node), value, declared);
        }
        self.close("action");
    }

    /// `<directive>`, with `<parameters>` if there are any, if the action has nothing else.
    fn call(&mut self, action: &Action) -> bool {
        let (first, second) = match action.params.as_slice() {
            [first] => (first, None),
            [first, second] => (first, Some(second)),
            _ => return false,
        };
        let path = first.1.as_str().filter(|path| !path.is_empty() && value::expressible(path));
        let members = match second.map(|(name, value)| (name.node.as_str(), &value.kind)) {
            None => &[][..],
            Some(("parameters", Kind::Map(members))) => members.as_slice(),
            Some(_) => return false,
        };
        let Some(path) = path.filter(|_| action.is(ActionKind::CallDirective) && first.0.node == "directive")
        else {
            return false;
        };
        let nests = |value: &Value| value::depth(value) <= DEPTH;
        if !members.iter().all(|member| nests(&member.value) && value::expressible(&member.key.node)) {
            return false;
        }
        self.text("directive", &[], path);
        match (second, members) {
            (None, _) => {}
            (Some(_), []) => self.empty("parameters", &[]),
            (Some(_), members) => {
                self.open("parameters", &[]);
                for member in members {
                    self.param(Some(&member.key.node), &member.value, Declared::inner(""));
                }
                self.close("parameters");
            }
        }
        true
    }

    /// `<param>`: named in an object, nameless in a list.
    fn param(&mut self, name: Option<&str>, value: &Value, declared: Declared<'_>) {
        let mut attributes: Attributes<'_> = name.map(|name| ("name", name)).into_iter().collect();
        let nests = value::nests(value) && value::depth(value) <= DEPTH;
        match &value.kind {
            Kind::Map(members) if nests => {
                self.open("param", &attributes);
                for member in members {
                    self.param(Some(&member.key.node), &member.value, Declared::inner(""));
                }
                self.close("param");
            }
            Kind::Seq(elements) if nests => {
                self.open("param", &attributes);
                elements.iter().for_each(|element| self.param(None, element, Declared::inner("")));
                self.close("param");
            }
            _ => {
                let (form, text) = value::plain(value, declared);
                attributes.extend(form.map(|form| ("type", form)));
                self.text("param", &attributes, &text);
            }
        }
    }
}

/// White space that a reader trims.
fn white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn depth(condition: &Cond) -> usize {
    match &condition.kind {
        CondKind::All(conds) | CondKind::Any(conds) => 1 + conds.iter().map(depth).max().unwrap_or(0),
        CondKind::Not(inner) => 1 + depth(inner),
        CondKind::Quantified(inner) => 1 + depth(&inner.cond),
        CondKind::Const(_) => 1,
        // Values of the history are nested expressions.
        CondKind::Leaf(_) => levels(condition),
        CondKind::Formerly(selection) => 2 + depth_of(selection.patterns()),
        CondKind::Predicate(predicate) => {
            if matches!(**predicate, Predicate::Only(_)) {
                3
            } else {
                2
            }
        }
    }
}

fn depth_of<'c>(patterns: impl Iterator<Item = &'c EventPattern>) -> usize {
    patterns.filter_map(|pattern| pattern.condition.as_ref()).map(depth).max().unwrap_or(0)
}

/// Whether elements cannot express a condition.
fn needs_expression(condition: &Cond) -> bool {
    depth(condition) > DEPTH || history::has_unusual_names(condition)
}

fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
