//! Quantifiers over an object bind the values of its members. Names below such a node are checked: a
//! path that ends one step too early (`some(c in shell(x): c.name == 'rm')`) would never be true.

use hookc_schema::diag::Fix;
use hookc_schema::tree::{Path, Quantified};
use hookc_schema::vocab::{FieldSchema, Type, TypeSet};
use hookc_schema::{Code, Diagnostic, Span};

use super::path::Field;
use crate::step_span;
use crate::tools::{Table, ToolSet, member};

/// An object whose members a quantifier binds.
#[derive(Debug)]
pub(super) struct Members {
    /// The path of the object.
    text: String,
    span: Span,
    object: FieldSchema,
    /// The possible tools, for their inputs and responses.
    tools: ToolSet,
}

impl Members {
    /// The object at the end of a quantifier's path, if it is one and nothing else.
    pub(super) fn new(inner: &Quantified, field: &Field<'_>, tools: ToolSet) -> Option<Self> {
        let object = field.schema.as_deref().filter(|_| inner.path.is_singular())?;
        let only = object.types == TypeSet::only(Type::Object);
        let (text, span) = (inner.path.text.to_string(), inner.path.span);
        only.then(|| Self { text, span, object: object.clone(), tools })
    }

    /// Its members with their declarations; `None` if it can have others.
    fn declared<'m>(&'m self, table: &'m Table<'_>) -> Option<Vec<(&'m String, &'m FieldSchema)>> {
        match self.object.tool {
            Some(part) => member::all(table, self.tools, part),
            None => self.object.closed.then(|| self.object.properties.iter().collect()),
        }
    }

    /// The declaration of each of its members: their types.
    pub(super) fn node(&self, table: &Table<'_>) -> Option<FieldSchema> {
        let mut node = FieldSchema::default();
        node.types = self.declared(table)?.iter().map(|(_, member)| member.types).reduce(TypeSet::or)?;
        Some(node)
    }

    /// The diagnostic for a name below the node that no member has.
    pub(super) fn never(&self, path: &Path, name: &str, table: &Table<'_>) -> Option<Diagnostic> {
        let bound = path.text.split(['.', '[']).next().unwrap_or(&path.text);
        let declared = self.declared(table);
        let has = |(_, member): &(&String, &FieldSchema)| {
            member.types.has(Type::Object) && (!member.closed || member.property(name).is_some())
        };
        let possible = declared.as_ref().is_none_or(|members| members.iter().any(has));
        let is_of_object = self.object.view && self.object.property(name).is_some();
        let (code, of) = match self.object.view {
            true => (Code::W0642, self.object.description.clone()),
            false => (Code::W0416, format!("`{}`", self.text)),
        };
        let (what, label) = match (possible, is_of_object) {
            (true, false) => return None,
            (_, true) => (format!("`{bound}` is each value in {of}, not the object"), "not of the object"),
            (false, false) => {
                (format!("`{bound}` is each value in {of}, and none of them has `{name}`"), "never present")
            }
        };
        let new = Diagnostic::new(code, step_span::step(path, 1).unwrap_or(path.span), what);
        Some(self.advise(new.with_label(label), declared.unwrap_or_default(), name))
    }

    /// Adds what to write: the list whose elements have the name, or the path without a quantifier.
    fn advise(&self, new: Diagnostic, members: Vec<(&String, &FieldSchema)>, name: &str) -> Diagnostic {
        let has = |(_, member): &(&String, &FieldSchema)| {
            member.items.as_deref().is_some_and(|item| item.property(name).is_some())
        };
        if let Some((list, _)) = members.into_iter().find(has) {
            let path = format!("{}.{list}", self.text);
            let mut new = new.help(format!("for each of its `{list}`, write `{path}`"));
            new.fix = (self.span.range().len() == self.text.len()).then(|| Fix::new(self.span, path));
            return new;
        }
        match self.object.property(name) {
            Some(_) => new.help(format!("`{}` is one object: write `{}.{name}`", self.text, self.text)),
            None => new.help(format!("write the path of a list whose elements have `{name}`")),
        }
    }
}
