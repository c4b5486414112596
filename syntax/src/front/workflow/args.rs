//! Lowers `{name}` in arguments to templates: `{a.b}` becomes `${a.b ?? '{a.b}'}`, so that a
//! missing value stays as written. Other text is unchanged; a literal `${` becomes `$${`. Source
//! positions are preserved.

use hookc_schema::tree::Family;
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use crate::front::text_map::Builder;

/// An index with more digits is text.
const DIGITS: usize = 9;

/// Keys of arguments with code, in which `$name` has a meaning.
const CODE: [&str; 10] =
    ["command", "cmd", "script", "code", "shell", "bash", "run", "pattern", "regex", "filter"];

/// The arguments of one hook while they are lowered.
#[derive(Debug, Default)]
pub(super) struct Args {
    /// The names between braces, in the order of the text.
    pub(super) names: Vec<Spanned<String>>,
}

/// A string without names, as a template.
pub(super) fn literal(text: &str) -> String {
    text.replace("${", "$${")
}

/// The name at the start of `rest`, the text after a `{`, if a `}` follows it: letters, digits and
/// `_`, with dots between steps.
pub(super) fn name(rest: &str) -> Option<&str> {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))?;
    let (name, after) = rest.split_at_checked(end)?;
    let first = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let step = |step: &str| {
        let index = step.bytes().all(|byte| byte.is_ascii_digit());
        let plain = step == "0" || !step.starts_with('0');
        !step.is_empty() && (!index || (plain && step.len() <= DIGITS))
    };
    (after.starts_with('}') && first && name.split('.').all(step)).then_some(name)
}

impl Args {
    /// Lowers the strings of a value. The nesting limit of YAML bounds the recursion.
    pub(super) fn lower(&mut self, value: &Value, out: &mut Diagnostics) -> Value {
        let kind = match &value.kind {
            Kind::Str(text) => Kind::Str(self.text(text, value.span, out)),
            Kind::Seq(items) => Kind::Seq(items.iter().map(|item| self.lower(item, out)).collect()),
            Kind::Map(members) => {
                out.extend(braces(value, members));
                let mut lowered = Vec::with_capacity(members.len());
                for Member { key, value } in members {
                    let text = Some(value).filter(|_| !CODE.contains(&key.node.as_str()));
                    out.extend(text.and_then(unbraced));
                    lowered.push(Member { key: key.clone(), value: self.lower(value, out) });
                }
                Kind::Map(lowered)
            }
            other => other.clone(),
        };
        Value::new(kind, value.span)
    }

    /// Lowers one string with the span `span`.
    pub(super) fn text(&mut self, text: &Text, span: Span, out: &mut Diagnostics) -> Text {
        let written = text.value.as_str();
        let mut new = Builder::default();
        let mut done = 0;
        while let Some(open) = written.get(done..).and_then(|rest| rest.find('{')).map(|at| done + at) {
            let before = written.get(done..open).unwrap_or("");
            let name = name(written.get(open + 1..).unwrap_or(""));
            let place = |name: &str, from: usize| text.map.span(span, from..open + name.len() + 2);
            if let Some(before) = before.strip_suffix('$') {
                new.copy(before, done);
                new.put('$', open - 1);
                new.copy("${", open - 1);
                done = open + 1;
                out.extend(name.map(|name| foreign(name, place(name, open - 1))));
            } else if let Some(name) = name {
                let after = written.get(open + name.len() + 2..).unwrap_or("");
                if written.get(..open).is_some_and(|listed| listed.ends_with('{')) && after.starts_with('}') {
                    let span = text.map.span(span, open - 1..open + name.len() + 3);
                    out.push(doubled(name, span));
                }
                new.copy(before, done);
                hole(&mut new, name, open);
                self.names.push(Spanned::new(name.to_owned(), place(name, open)));
                done = open + name.len() + 2;
            } else {
                let rest = written.get(open + 1..).unwrap_or("");
                out.extend(
                    unclosed(rest)
                        .map(|name| no_brace(name, text.map.span(span, open..open + 1 + name.len()))),
                );
                new.copy(written.get(done..=open).unwrap_or(""), done);
                done = open + 1;
            }
        }
        new.copy(written.get(done..).unwrap_or(""), done);
        new.finish(written.len(), &text.map)
    }
}

/// `${name ?? '{name}'}` for the `{name}` at `open`.
fn hole(new: &mut Builder, name: &str, open: usize) {
    let close = open + name.len() + 1;
    new.put('$', open);
    new.put('{', open);
    new.copy(name, open + 1);
    format!(" ?? '{{{name}}}'").chars().for_each(|c| new.put(c, close));
    new.copy("}", close);
}

/// The name after a `{` without `}`: at the end of the text, or before whitespace or punctuation.
fn unclosed(rest: &str) -> Option<&str> {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
    let (found, after) = rest.split_at_checked(end)?;
    let closed = format!("{found}}}");
    (!after.contains('}') && name(&closed).is_some()).then_some(found)
}

fn no_brace(name: &str, span: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::W0294, span, format!("`{{{name}` has no `}}`"));
    new.with_label("not substituted").help(format!("to substitute `{name}`, write `{{{name}}}`"))
}

/// The diagnostic for `{name}` without quotes, which YAML reads as a mapping of `name` to `null`.
fn braces(value: &Value, members: &[Member]) -> Option<Diagnostic> {
    let [Member { key, value: nothing }] = members else { return None };
    let flow = value.span.start < key.span.start;
    let bare = nothing.kind == Kind::Null && nothing.span.range().is_empty();
    if !(flow && bare) || name(&format!("{}}}", key.node)).is_none() {
        return None;
    }
    let what = format!("`{{{}}}` without quotes is a mapping", key.node);
    let new = Diagnostic::new(Code::W0293, value.span, what).with_label("not substituted");
    Some(new.help(format!("write \"{{{}}}\" in quotes", key.node)))
}

/// The diagnostic for `{{name}}`: the outer braces stay in the text.
fn doubled(name: &str, span: Span) -> Diagnostic {
    let new =
        Diagnostic::new(Code::W0279, span, format!("`{{{{{name}}}}}` has braces that stay in the text"));
    new.with_label("only the inner braces are substituted").help(format!("write `{{{name}}}`"))
}

/// The diagnostic for the first `$name` in a text: the whole text, or a field of workflows.
fn unbraced(value: &Value) -> Option<Diagnostic> {
    let Kind::Str(text) = &value.kind else { return None };
    let written = text.value.as_str();
    written.match_indices('$').find_map(|(at, _)| {
        let rest = written.get(at + 1..)?;
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
        let found = rest.get(..end.unwrap_or(rest.len()))?.trim_end_matches('.');
        let word = written.get(..at)?.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '$');
        let constant = found.chars().all(|c| !c.is_lowercase());
        name(&format!("{found}}}")).filter(|_| word && !constant)?;
        let whole = written.trim().len() == found.len() + 1;
        (whole || is_field(found.split('.').next()?)).then(|| {
            let span = text.map.span(value.span, at..at + 1 + found.len());
            let new = Diagnostic::new(Code::W0279, span, format!("`${found}` is text in a workflow"));
            new.with_label("not substituted").help(format!("to substitute `{found}`, write `{{{found}}}`"))
        })
    })
}

/// Whether events of workflows have a field.
fn is_field(name: &str) -> bool {
    let vocabulary = Vocabulary::builtin();
    let events = vocabulary.events.iter().filter(|((family, _), _)| *family == Family::Workflow);
    events.into_iter().any(|(_, event)| event.schema.property(name).is_some())
}

fn foreign(name: &str, span: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::W0279, span, format!("`${{{name}}}` is text in a workflow"));
    new.with_label("not substituted").help(format!("to substitute `{name}`, write `{{{name}}}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::SourceId;
    use hookc_schema::value::TextMap;

    fn lowered(text: &str) -> (String, Vec<String>) {
        let (mut args, mut out) = (Args::default(), Diagnostics::new());
        let text = Text { value: text.to_owned(), map: TextMap::Shift(0) };
        let new = args.text(&text, Span::new(SourceId(0), 0..text.value.len()), &mut out);
        (new.value, args.names.into_iter().map(|name| name.node).collect())
    }

    #[test]
    fn names_become_templates_and_text_stays() {
        let table = [
            ("{a}", "${a ?? '{a}'}", "a"),
            ("x {a.b.0} y{c}", "x ${a.b.0 ?? '{a.b.0}'} y${c ?? '{c}'}", "a.b.0 c"),
            ("{{a}}", "{${a ?? '{a}'}}", "a"),
            ("{ a } {} {0} {a.} {a b} {a-b} {a.007}", "{ a } {} {0} {a.} {a b} {a-b} {a.007}", ""),
            ("${a} $ {b}", "$${a} $ ${b ?? '{b}'}", "b"),
            ("$${a}", "$$${a}", ""),
            ("{\"k\": \"{é}\"}", "{\"k\": \"${é ?? '{é}'}\"}", "é"),
            ("{", "{", ""),
            ("", "", ""),
        ];
        for (text, template, names) in table {
            let (new, found) = lowered(text);
            assert_eq!((new.as_str(), found.join(" ").as_str()), (template, names), "{text}");
        }
    }

    #[test]
    fn parts_know_where_they_were_written() {
        let text = Text { value: "x {goal} y".to_owned(), map: TextMap::Shift(10) };
        let span = Span::new(SourceId(0), 10..20);
        let new = Args::default().text(&text, span, &mut Diagnostics::new());
        let start = new.value.find("goal").unwrap();
        assert_eq!(new.map.span(span, start..start + 4).range(), 13..17);
        let start = new.value.find(" y").unwrap();
        assert_eq!(new.map.span(span, start..start + 2).range(), 18..20);
    }
}
