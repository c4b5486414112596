//! Templates in another notation (W0618): `{{ tool_input.command }}`, `$tool_name`,
//! `{tool_name}`. Such text stays unchanged.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

use hookc_schema::diag::Fix;
use hookc_schema::tree::{Family, Hook};
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics};

/// Parameters with code in them, or that another program reads: they have braces and
/// dollar signs of their own.
const CODE: [&str; 5] = ["command", "prompt", "shell", "url", "file"];

/// Reports the first template of another notation in each text of an action.
pub(super) fn check(hook: &Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
    // Arguments of workflows are written `{name}`; agents' own handlers have no templates.
    if !hook.action.templates || hook.family == Family::Workflow {
        return;
    }
    let events = || hook.events.iter().filter_map(|name| vocabulary.event(hook.family, &name.node));
    // Most texts have no hole of any notation.
    let fields = LazyCell::new(|| {
        let declared = events().flat_map(|event| event.schema.properties.keys().map(String::as_str));
        declared.chain(["event"]).collect()
    });
    for (_, value) in hook.action.params.iter().filter(|(name, _)| !CODE.contains(&name.node.as_str())) {
        // A program's code is its own: `[sh, -c, 'echo $cwd']`.
        for value in value.walk(|value| !is_code(value.items())) {
            let text = value.as_str().filter(|text| text.contains(['{', '$']));
            out.extend(text.and_then(|text| {
                let (range, path) = find(text, &fields)?;
                Some(report(value, text, range, &path))
            }));
        }
    }
}

/// Whether one of the words declares the next one to be code.
pub(super) fn is_code(items: &[Value]) -> bool {
    let words = || items.iter().filter_map(Value::as_str);
    words().any(|word| {
        matches!(word, "-c" | "-e" | "-ec" | "-lc" | "--eval" | "--format" | "--template" | "awk" | "jq")
    })
}

fn report(value: &Value, text: &str, range: Range<usize>, path: &str) -> Diagnostic {
    let written = text.get(range.clone()).unwrap_or_default();
    let span = value.span_within(range.clone());
    let what = format!("`{written}` stays as it is: templates are written `${{PATH}}`");
    let mut new = Diagnostic::new(Code::W0618, span, what).with_label("not filled in");
    let replacement = format!("${{{path}}}");
    if span.range().len() == written.len() {
        new.fix = Some(Fix::new(span, replacement.clone()));
    }
    new.help(format!("write `{replacement}`"))
}

/// The first hole in another notation, and the path in it: one that begins with a field
/// of the event.
fn find(text: &str, fields: &BTreeSet<&str>) -> Option<(Range<usize>, String)> {
    text.match_indices(['{', '$']).find_map(|(at, sign)| {
        let before = text.get(..at)?;
        // `${...}` is a template, `$${` and `{{` are looked at from their first character.
        if before.ends_with(['$', '{', '\\']) {
            return None;
        }
        let rest = text.get(at..)?;
        let (length, path) = match sign {
            "{" => braces(rest)?,
            _ => dollar(rest)?,
        };
        let first = path.split(['.', '[']).next()?;
        let folded = first.to_ascii_lowercase();
        let known = fields.get(first).or_else(|| fields.get(folded.as_str()).filter(|_| sign == "$"))?;
        Some((at..at + length, format!("{known}{}", path.get(first.len()..)?)))
    })
}

/// The first hole between two marks whose path `is_field`: its range, and the path.
pub(super) fn hole<'t>(
    text: &'t str,
    notations: &[(&str, &str)],
    is_field: impl Fn(&str) -> bool,
) -> Option<(Range<usize>, &'t str)> {
    notations.iter().find_map(|(open, close)| {
        text.match_indices(open).find_map(|(at, _)| {
            let inner = text.get(at + open.len()..)?;
            // A path has no hole in it, so nested ones are looked at once.
            let inner = inner.split(open).next()?;
            let inner = inner.get(..inner.find(close)?)?;
            is_field(inner.trim()).then(|| (at..at + open.len() + inner.len() + close.len(), inner.trim()))
        })
    })
}

/// `{{ path }}` and `{path}`: bytes, and the path.
fn braces(rest: &str) -> Option<(usize, String)> {
    let (open, close) = if rest.starts_with("{{") { ("{{", "}}") } else { ("{", "}") };
    let inner = rest.strip_prefix(open)?.split('{').next()?;
    let end = inner.find(close)?;
    let path = inner.get(..end)?.trim().trim_start_matches(['.', '$']);
    is_path(path).then(|| (open.len() + end + close.len(), path.to_owned()))
}

/// `$path`: bytes, and the path.
fn dollar(rest: &str) -> Option<(usize, String)> {
    let inner = rest.strip_prefix('$')?;
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))).unwrap_or(inner.len());
    let path = inner.get(..end)?.trim_end_matches('.');
    is_path(path).then(|| (1 + path.len(), path.to_owned()))
}

fn is_path(text: &str) -> bool {
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "_[]".contains(c))
    };
    !text.is_empty() && text.split('.').all(name)
}

#[cfg(test)]
mod tests {
    use super::find;
    use std::collections::BTreeSet;

    #[test]
    fn holes_of_other_notations() {
        let fields = BTreeSet::from(["event", "tool_name", "tool_input", "prompt"]);
        let found = |text: &str| {
            find(text, &fields).map(|(range, path)| (text.get(range).unwrap_or_default().to_owned(), path))
        };
        for (text, written, path) in [
            ("no {{ tool_input.command }}!", "{{ tool_input.command }}", "tool_input.command"),
            ("{{tool_name}}", "{{tool_name}}", "tool_name"),
            ("no {tool_input.command}", "{tool_input.command}", "tool_input.command"),
            ("no $tool_input.command.", "$tool_input.command", "tool_input.command"),
            ("no $TOOL_NAME", "$TOOL_NAME", "tool_name"),
            ("{{ .tool_name }}", "{{ .tool_name }}", "tool_name"),
        ] {
            assert_eq!(found(text), Some((written.to_owned(), path.to_owned())), "{text}");
        }
        for text in [
            "${tool_name}",
            "$${tool_name}",
            "{project} is busy",
            "$HOME/.ssh",
            "{}",
            "{{ }}",
            "a {",
            "$",
            "\\$prompt",
            "{\"tool_name\": 1}",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
