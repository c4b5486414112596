//! Checks the names and values of attributes.

use hookc_schema::decode::{Object, listed};
use hookc_schema::suggest::nearest;
use hookc_schema::{Code, Diagnostic, Spanned};

use super::Reader;
use crate::front::xml::{Attribute, Element};

impl Reader<'_> {
    /// Reports E0208 for every attribute that is neither in the table nor XML's own.
    pub(super) fn known_attributes(&mut self, element: &Element<'_>, table: &Object) {
        let unknown = |attribute: &&Attribute<'_>| table.key(attribute.name).is_none();
        for attribute in element.attributes.iter().filter(unknown) {
            if reserved(attribute.name) {
                self.space(attribute);
                continue;
            }
            let message = format!("`<{}>` has no attribute `{}`", element.name, attribute.name);
            let unknown =
                Diagnostic::new(Code::E0208, attribute.name_span, message).with_label("unknown attribute");
            let unknown = match (element.name, attribute.name) {
                ("hook", "directive") => {
                    unknown.help(format!("write `<directive>{}</directive>` inside", attribute.value.value))
                }
                _ if table.keys.is_empty() => unknown.help("remove it"),
                _ => unknown.help(format!("allowed here: {}", listed(table.names()))),
            };
            self.out.push(unknown.did_you_mean(table.near(attribute.name), attribute.name_span));
        }
    }

    /// Reports an `xml:space` that is neither `default` nor `preserve`.
    pub(super) fn space(&mut self, attribute: &Attribute<'_>) {
        if attribute.name == "xml:space" {
            self.choice(Some(attribute), &[("default", ()), ("preserve", ())]);
        }
    }

    /// Reports E0202 if the attribute is missing.
    pub(super) fn required<'e, 'a>(
        &mut self,
        element: &'e Element<'a>,
        name: &str,
        example: &str,
    ) -> Option<&'e Attribute<'a>> {
        let attribute = element.attribute(name);
        // A misspelled attribute was already reported as unknown.
        let misspelled = || element.attributes.iter().any(|other| nearest(other.name, [name]).is_some());
        if attribute.is_none() && !misspelled() {
            let message = format!("`<{}>` without `{name}`", element.name);
            let missing = Diagnostic::new(Code::E0202, element.name_span, message);
            let missing = missing.with_label(format!("no `{name}`"));
            self.out.push(missing.help(format!("write `<{} {name}=\"{example}\" ...>`", element.name)));
        }
        attribute
    }

    /// The boolean value; reports E0203 for anything but `true` and `false`.
    pub(super) fn boolean(&mut self, attribute: Option<&Attribute<'_>>) -> Option<Spanned<bool>> {
        let attribute = attribute?;
        let value = match attribute.value.value.as_str() {
            "true" => true,
            "false" => false,
            other => {
                let message = format!("`{}` is `true` or `false`, not `{other}`", attribute.name);
                let wrong = Diagnostic::new(Code::E0203, attribute.span, message).with_label("not a boolean");
                self.out.push(wrong.help("write `true` or `false`"));
                return None;
            }
        };
        Some(Spanned::new(value, attribute.span))
    }

    /// The choice with that name; reports E0204 for any other name.
    pub(super) fn choice<T: Copy>(
        &mut self,
        attribute: Option<&Attribute<'_>>,
        names: &[(&'static str, T)],
    ) -> Option<Spanned<T>> {
        let attribute = attribute?;
        let written = attribute.value.value.as_str();
        if let Some((_, value)) = names.iter().find(|(name, _)| *name == written) {
            return Some(Spanned::new(*value, attribute.span));
        }
        let message = format!("`{}` cannot be `{written}`", attribute.name);
        let wrong = Diagnostic::new(Code::E0204, attribute.span, message).with_label("not an allowed value");
        let known = || names.iter().map(|(name, _)| *name);
        let wrong = wrong.help(format!("write one of {}", listed(known())));
        self.out.push(wrong.did_you_mean(nearest(written, known()), attribute.span));
        None
    }

    /// The text of an attribute.
    pub(super) fn string(&self, attribute: Option<&Attribute<'_>>) -> Option<Spanned<String>> {
        attribute.map(|attribute| Spanned::new(attribute.value.value.clone(), attribute.span))
    }
}

/// Attributes that belong to XML itself.
pub(super) fn reserved(name: &str) -> bool {
    name == "xmlns" || name.starts_with("xmlns:") || name.starts_with("xml:")
}
