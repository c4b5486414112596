//! The shapes that every key of the dialect is made of: mappings with known
//! keys, strings, booleans, words of a list. What does not fit is reported where
//! it stands.

use hookc_schema::suggest::nearest;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

/// A mapping whose keys are known by name.
#[derive(Debug)]
pub struct Keys {
    /// What the mapping is, with its article: `a hook`.
    pub what: &'static str,
    /// The keys that it may have.
    pub known: &'static [&'static str],
}

impl Keys {
    /// The members that may be there; the others are reported.
    pub fn admit<'a>(&self, members: &'a [Member], out: &mut Vec<Diagnostic>) -> Vec<&'a Member> {
        let (known, unknown): (Vec<_>, Vec<_>) =
            members.iter().partition(|member| self.known.contains(&member.key.node.as_str()));
        out.extend(unknown.into_iter().map(|member| self.unknown(&member.key)));
        known
    }

    /// The diagnostic for a key that it has not.
    pub fn unknown(&self, key: &Spanned<String>) -> Diagnostic {
        let what = self.what;
        let near = nearest(&key.node, self.known.iter().copied());
        let new = Diagnostic::new(Code::E0201, key.span, format!("{what} has no key `{}`", key.node));
        let new = new.with_label("unknown").help(format!("its keys are `{}`", self.known.join("`, `")));
        new.did_you_mean(near, key.span)
    }
}

/// The members of a mapping; told if it is none.
pub fn mapping<'a>(value: &'a Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<&'a [Member]> {
    match &value.kind {
        Kind::Map(members) => Some(members),
        _ => {
            out.push(wrong(value, what, "a mapping").help("write `key: value` lines, indented alike"));
            None
        }
    }
}

/// The items of a list; told if it is none.
pub fn list<'a>(value: &'a Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<&'a [Value]> {
    match &value.kind {
        Kind::Seq(items) => Some(items),
        _ => {
            out.push(wrong(value, what, "a list").help("start each item with `- `"));
            None
        }
    }
}

/// A string; told if it is none.
pub fn string(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    if let Some(text) = value.as_str() {
        return Some(Spanned::new(text.to_owned(), value.span));
    }
    let scalar = matches!(value.kind, Kind::Num(_) | Kind::Bool(_));
    let new = wrong(value, what, "a string");
    out.push(new.help(if scalar { "put it in quotes" } else { "write a string" }));
    None
}

/// A boolean; told if it is none.
pub fn boolean(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<Spanned<bool>> {
    if let Kind::Bool(truth) = value.kind {
        return Some(Spanned::new(truth, value.span));
    }
    let new = wrong(value, what, "`true` or `false`");
    let meant = value.as_str().and_then(|text| match text.to_ascii_lowercase().as_str() {
        "yes" | "on" | "y" | "true" => Some("true"),
        "no" | "off" | "n" | "false" => Some("false"),
        _ => None,
    });
    out.push(match meant {
        Some(meant) => new.did_you_mean(Some(meant), value.span),
        None => new.help("write `true` or `false`"),
    });
    None
}

/// One of a list of words, as what it stands for; told if it is none.
pub fn word<T: Copy>(
    value: &Value,
    what: &str,
    words: &[(&str, T)],
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<T>> {
    let names = || words.iter().map(|(name, _)| *name);
    let all = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let Some(text) = value.as_str() else {
        out.push(wrong(value, what, &format!("one of {all}")).help("write one of these values"));
        return None;
    };
    if let Some((_, meaning)) = words.iter().find(|(name, _)| *name == text) {
        return Some(Spanned::new(*meaning, value.span));
    }
    let new = Diagnostic::new(Code::E0204, value.span, format!("{what} cannot be `{text}`"));
    let new = new.with_label("not an allowed value").help(format!("write one of {all}"));
    out.push(new.did_you_mean(nearest(text, names()), value.span));
    None
}

/// The diagnostic for a value of another type: `what` must be `expected`.
pub fn wrong(value: &Value, what: &str, expected: &str) -> Diagnostic {
    let found = noun(value);
    let message = format!("{what} must be {expected}, not {found}");
    Diagnostic::new(Code::E0203, short(value), message).with_label(format!("this is {found}"))
}

/// What a YAML author calls this kind of value.
pub fn noun(value: &Value) -> &'static str {
    match value.kind {
        Kind::Null => "empty",
        Kind::Seq(_) => "a list",
        Kind::Map(_) => "a mapping",
        _ => value.noun(),
    }
}

/// The place of a value as a label shows it: of a mapping its first key, of a
/// list its first character, so that a block is not underlined whole.
pub fn short(value: &Value) -> Span {
    match &value.kind {
        Kind::Map(members) => members.first().map_or(value.span, |member| member.key.span),
        Kind::Seq(items) if !items.is_empty() => Span { end: value.span.start + 1, ..value.span },
        _ => value.span,
    }
}

/// The diagnostic for a mapping that lacks a key.
pub fn missing(value: &Value, what: &str, key: &str) -> Diagnostic {
    Diagnostic::new(Code::E0202, short(value), format!("{what} needs `{key}`"))
        .with_label(format!("no `{key}` here"))
}

/// Whether an unknown key among `told` was most likely meant to be `key`: then
/// nothing need be said of its lack.
pub fn misspelled(reported: &[Diagnostic], key: &str) -> bool {
    let meant = |new: &Diagnostic| new.fix.as_ref().is_some_and(|fix| fix.replacement == key);
    reported.iter().any(|new| new.code == Code::E0201 && meant(new))
}

/// The diagnostic for a policy that holds no hook.
pub fn no_hooks(span: Span, what: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::W0612, span, format!("{what} has no hooks"))
        .with_label("no hook here")
        .note("it never decides")
        .help(help)
}
