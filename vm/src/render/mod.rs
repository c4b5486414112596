//! Rendering: substitutes the templates of an action with values of an event.

mod check;
mod error;

pub use error::RenderError;

use crate::event::{Item, Stored};
use crate::module::{Tables, row};
use crate::query;
use crate::rows::{Action, Param, ParamValue, Template, TemplateForm, U32, tag};
use crate::view::EventView;

/// Says what made the condition of the hook true, by the template for it.
pub(crate) type Because<'b> = &'b mut dyn FnMut(&Template) -> String;

/// Calls a function with the value of a slot of the history; absent if it is unknown.
pub(crate) type Recalled<'b> = &'b dyn Fn(u32, &mut dyn FnMut(Item<'_>));

/// Appends action `index` to `out` as compact JSON; as before on an error.
pub(crate) fn action(
    view: &EventView<'_>,
    index: u32,
    (marked, because, recalled): (bool, Because<'_>, Recalled<'_>),
    out: &mut String,
) -> Result<(), RenderError> {
    let start = out.len();
    let limit = view.module.limits().rendered_bytes;
    let Some(action) = row(view.tables.actions, index) else { return Ok(()) };
    let mut queries = query::Buffers::default();
    queries.start(view.module);
    let mut writer = Writer { view: *view, queries, start, nodes: 0, limit, marked, because, recalled, out };
    let done = writer.action(&action);
    if done.is_err() {
        out.truncate(start);
    }
    done
}

struct Writer<'a, 'o> {
    view: EventView<'a>,
    queries: query::Buffers,
    /// Bytes of `out` from before.
    start: usize,
    /// Rendered nodes: each costs a byte, so that empty ones are bounded too.
    nodes: usize,
    limit: usize,
    /// Whether text of the event is marked, as [`MARK`] says.
    marked: bool,
    because: Because<'o>,
    recalled: Recalled<'o>,
    out: &'o mut String,
}

impl<'a> Writer<'a, '_> {
    fn action(&mut self, action: &Action) -> Result<(), RenderError> {
        self.out.push_str("{\"type\":");
        Item::Str(self.view.tables.kind_of(action)).write_canonical(self.out);
        for (param, value) in self.view.tables.params_of(action) {
            self.out.push(',');
            self.string(param.key);
            self.out.push(':');
            self.param(param, value)?;
        }
        self.out.push('}');
        self.count()
    }

    fn param(&mut self, param: &Param, value: ParamValue) -> Result<(), RenderError> {
        let from = self.out.len();
        match value {
            ParamValue::Template(node) => self.node(node.into())?,
            ParamValue::Const(constant) => {
                write_constant(self.view.tables, constant, self.out);
                self.count()?;
            }
        }
        let Some(check) = row(self.view.tables.checks, param.check.get()) else { return Ok(()) };
        let text = self.out.get(from..).unwrap_or_default();
        match check::violated(self.view.tables, &check, text) {
            None => Ok(()),
            Some(expected) => {
                let name = self.view.tables.str(param.key.get()).to_owned();
                Err(RenderError::Param { name, expected, found: error::type_of(text) })
            }
        }
    }

    /// Recursion is as deep as templates nest, which the verifier bounds.
    fn node(&mut self, index: U32) -> Result<(), RenderError> {
        let tables = self.view.tables;
        let Some(node) = row(tables.templates, index.get()) else { return self.count() };
        match node.form() {
            Some(TemplateForm::Const(constant)) => write_constant(tables, constant, self.out),
            Some(TemplateForm::Slot { slot, default }) => {
                let mut decoded = String::new();
                let value = self.hole(slot, default, &mut decoded)?;
                self.within(least(value))?;
                let from = self.out.len();
                value.write_canonical(self.out);
                self.mark_json(from);
            }
            Some(TemplateForm::Text(children)) => self.text(tables.indices_of(children))?,
            Some(TemplateForm::Array(children)) => self.array(tables.indices_of(children))?,
            Some(TemplateForm::Object(children)) => self.object(tables.indices_of(children))?,
            Some(TemplateForm::Nodes { query, default }) => self.nodes_of(query, default)?,
            Some(TemplateForm::Because(_)) => {
                let (from, because) = (self.out.len(), (self.because)(&node));
                Item::Str(&because).write_canonical(self.out);
                self.mark_json(from);
            }
            // The verifier rejects such a node.
            None => {}
        }
        self.count()
    }

    /// The list of a query's nodes, or the default for none.
    fn nodes_of(&mut self, query: u32, default: Option<u32>) -> Result<(), RenderError> {
        let view = self.view;
        let mut queries = std::mem::take(&mut self.queries);
        let mut count = 0;
        let mut within = Ok(());
        self.out.push('[');
        let walked = queries.each(&view, query, &mut |_, item| {
            self.comma(count);
            let from = self.out.len();
            item.write_canonical(self.out);
            self.mark_json(from);
            count = count.saturating_add(1);
            within = self.count();
            Ok(within.is_ok())
        });
        self.queries = queries;
        self.out.push(']');
        within?;
        walked.map_err(|stop| RenderError::of_query(stop, view.module))?;
        if let Some(default) = default.filter(|_| count == 0) {
            self.out.truncate(self.out.len().saturating_sub(2));
            write_constant(self.view.tables, default, self.out);
        }
        Ok(())
    }

    /// The value of a slot, or its default.
    fn hole<'b>(
        &self,
        slot: u32,
        default: Option<u32>,
        decoded: &'b mut String,
    ) -> Result<Item<'b>, RenderError>
    where
        'a: 'b,
    {
        let stored = self.view.stored(slot);
        if let Stored::Escaped(text) = stored {
            self.within(text.least())?;
        }
        let item =
            if slot < self.view.tables.slots { stored.item(decoded) } else { self.past(slot, decoded) };
        Ok(match item {
            Item::Absent | Item::Null => default.map_or(Item::Null, |id| self.view.tables.constant(id)),
            item => item,
        })
    }

    /// The value of a slot of the history, a scalar.
    fn past<'b>(&self, slot: u32, decoded: &'b mut String) -> Item<'b> {
        let mut kind = Item::Absent;
        (self.recalled)(slot, &mut |item| {
            decoded.clear();
            kind = match item {
                Item::Num(text) => {
                    decoded.push_str(text);
                    Item::Num("")
                }
                Item::Str(text) => {
                    decoded.push_str(text);
                    Item::Str("")
                }
                Item::Bool(value) => Item::Bool(value),
                _ => Item::Absent,
            };
        });
        match kind {
            Item::Num(_) => Item::Num(decoded),
            Item::Str(_) => Item::Str(decoded),
            other => other,
        }
    }

    fn text(&mut self, parts: &[U32]) -> Result<(), RenderError> {
        let (mut text, mut decoded) = (String::new(), String::new());
        for part in parts {
            let Some(node) = row(self.view.tables.templates, part.get()) else { continue };
            let (constant, item) = match node.form() {
                Some(TemplateForm::Const(constant)) => (true, self.view.tables.constant(constant)),
                Some(TemplateForm::Slot { slot, default }) => {
                    (false, self.hole(slot, default, &mut decoded)?)
                }
                Some(TemplateForm::Because(_)) => {
                    decoded = (self.because)(&node);
                    (false, Item::Str(&decoded))
                }
                // The verifier rejects such a part.
                _ => continue,
            };
            self.within(text.len().saturating_add(least(item)))?;
            let from = text.len();
            match item {
                Item::Absent | Item::Null => {}
                Item::Array(_) | Item::Object(_) => item.write_canonical(&mut text),
                _ => text.push_str(&item.text().unwrap_or_default()),
            }
            if self.marked && !constant {
                let added = text.split_off(from);
                text.extend([MARK, &added.replace('$', DOLLAR), MARK]);
            }
            self.nodes = self.nodes.saturating_add(1);
            self.within(text.len())?;
        }
        Item::Str(&text).write_canonical(self.out);
        Ok(())
    }

    /// Marks the text of the event in JSON that was written from `from` on.
    fn mark_json(&mut self, from: usize) {
        if self.marked && self.out.get(from..).is_some_and(|added| added.contains('$')) {
            let added = self.out.split_off(from);
            self.out.push_str(&added.replace('$', "$\\u0000"));
        }
    }

    fn array(&mut self, children: &[U32]) -> Result<(), RenderError> {
        self.out.push('[');
        for (at, child) in children.iter().enumerate() {
            self.comma(at);
            self.node(*child)?;
        }
        self.out.push(']');
        Ok(())
    }

    fn object(&mut self, pairs: &[U32]) -> Result<(), RenderError> {
        self.out.push('{');
        for (at, pair) in pairs.chunks_exact(2).enumerate() {
            let [key, child] = pair else { continue };
            self.comma(at);
            self.string(*key);
            self.out.push(':');
            self.node(*child)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.out.push(',');
        }
    }

    fn string(&mut self, index: U32) {
        Item::Str(self.view.tables.str(index.get())).write_canonical(self.out);
    }

    fn count(&mut self) -> Result<(), RenderError> {
        self.nodes = self.nodes.saturating_add(1);
        self.within(0)
    }

    /// Rejects an output beyond the limit if `more` bytes follow.
    fn within(&self, more: usize) -> Result<(), RenderError> {
        let bytes = self.out.len().saturating_sub(self.start).saturating_add(more).max(self.nodes);
        if bytes > self.limit { Err(RenderError::TooLarge(self.limit)) } else { Ok(()) }
    }
}

/// Surrounds text of the event within the author's text, and follows each `$` in it, so that text
/// of the event never becomes part of a `${NAME}` of the author.
const MARK: &str = "\0";
const DOLLAR: &str = "$\0";

/// Bytes that a value renders at least: of a text that is too long none are copied.
fn least(value: Item<'_>) -> usize {
    if let Item::Str(text) = value { text.len() } else { 0 }
}

/// Appends a constant as canonical JSON: containers and numbers are that text.
pub(crate) fn write_constant(tables: &Tables<'_>, index: u32, out: &mut String) {
    let Some(constant) = row(tables.consts, index) else { return };
    match constant.tag.get() {
        tag::NUMBER | tag::ARRAY | tag::OBJECT => out.push_str(tables.str(constant.text.get())),
        _ => tables.constant(index).write_canonical(out),
    }
}
