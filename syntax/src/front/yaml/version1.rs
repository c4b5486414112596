//! Plain scalars that YAML 1.1 and the core schema of YAML 1.2 read differently (W0114).
//!
//! The reference for YAML 1.1 is PyYAML, which the runtimes of these formats use: this module
//! follows its resolver rather than the older specification. Quoted scalars, block scalars, tagged
//! values and aliases are the same in both.

use std::collections::HashSet;

use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use crate::scalar::single;

/// Keys with values for people that nothing executes: their type does not matter.
const PROSE: [&str; 8] =
    ["description", "summary", "effects", "examples", "version", "schema_version", "title", "comment"];

/// The type of a plain scalar in YAML 1.1.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Other {
    Str,
    Null,
    Bool(bool),
    /// An integer: its magnitude, where that is within 128 bits.
    Int(Option<u128>),
    Float,
    Time,
    /// `=` and `<<`, which are not values there.
    Nothing,
}

/// Reports the scalars of `values`, parts of the YAML `text`, with another type in YAML 1.1.
/// Scalars that were already reported are skipped.
pub(crate) fn lint<'v>(text: &str, values: impl IntoIterator<Item = &'v Value>, out: &mut Diagnostics) {
    let mut linter = Linter::new(text);
    values.into_iter().for_each(|value| linter.value(value));
    linter.finish(out);
}

/// Collects what [`lint()`] reports.
#[derive(Debug)]
pub(crate) struct Linter<'t> {
    text: &'t str,
    /// Readers of JSON read JSON: nothing is reported about it.
    is_json: bool,
    found: Diagnostics,
    /// The diagnostics of the elements of a list that stand-ins replaced, and the span of its first
    /// element.
    elements: Option<(Span, Diagnostics)>,
}

impl<'t> Linter<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']);
        Self { text, is_json, found: Diagnostics::new(), elements: None }
    }

    /// A linter of values that contain the list whose elements were linted here.
    pub(crate) fn around(self, first: Option<Span>) -> Self {
        let elements = first.map(|first| (first, self.found));
        Self { found: Diagnostics::new(), elements, ..self }
    }

    /// Lints a value and all values in it.
    pub(crate) fn value(&mut self, value: &Value) {
        if !self.is_json {
            self.inner(value);
        }
    }

    /// Reports what was found, except at spans that were already reported.
    pub(crate) fn finish(self, out: &mut Diagnostics) {
        let mut found = self.found;
        let reported: HashSet<Span> = out.iter().filter_map(Diagnostic::span).collect();
        found.retain(|new: &Diagnostic| !new.span().is_some_and(|span| reported.contains(&span)));
        out.append(&mut found);
    }

    /// Recursion is bounded by the nesting that the composer lets through.
    fn inner(&mut self, value: &Value) {
        match &value.kind {
            Kind::Seq(items) => {
                let first = items.first().map(|item| item.span);
                if let Some((_, found)) =
                    self.elements.as_mut().filter(|(element, _)| Some(*element) == first)
                {
                    self.found.append(found);
                }
                items.iter().for_each(|item| self.inner(item));
            }
            Kind::Map(members) => members.iter().for_each(|member| self.member(member)),
            kind => {
                let written = self.text.get(value.span.range()).unwrap_or("");
                self.found.extend(
                    differs(written, kind)
                        .map(|(there, help)| diagnostic(written, value.span, kind, &there, help)),
                );
            }
        }
    }

    fn member(&mut self, member: &Member) {
        let (key, span) = (&member.key, member.key.span);
        let written = self.text.get(span.range()).unwrap_or("");
        if matches!(other(written), Other::Bool(_) | Other::Time) && written == key.node {
            let there = other(written).noun(written);
            let what = format!("in YAML 1.1 the key `{written}` is {there}");
            let new = ambiguous(span, what, format!("write '{written}' in quotes"));
            self.found.push(new.with_label("a string here"));
        }
        if !PROSE.contains(&key.node.as_str()) {
            self.inner(&member.value);
        }
    }
}

fn diagnostic(written: &str, span: Span, kind: &Kind, there: &str, help: String) -> Diagnostic {
    let here = match kind {
        Kind::Str(_) => "a string here".to_owned(),
        Kind::Num(number) => format!("the number {} here", number.0),
        _ => "another value here".to_owned(),
    };
    let what = format!("in YAML 1.1 `{written}` is {there}");
    ambiguous(span, what, help).with_label(here)
}

/// W0114, except where the checker rejects the value.
fn ambiguous(span: Span, what: String, help: String) -> Diagnostic {
    Diagnostic::new(Code::W0114, span, what).note("PyYAML reads YAML 1.1").help(help).unless(Code::E0409)
}

/// The type of a scalar in YAML 1.1, and what to write, if it differs from its type here.
fn differs(written: &str, kind: &Kind) -> Option<(String, String)> {
    let there = other(written);
    let quoted = || single(written);
    match kind {
        // Only a plain scalar is written as it reads.
        Kind::Str(text) if there != Other::Str && text.value == written => {
            let text = format!("write {} in quotes for the text", quoted());
            Some((
                there.noun(written),
                match &there {
                    Other::Bool(value) => format!("{text}, or `{value}`"),
                    Other::Int(Some(number)) if !written.contains([':', '-']) => {
                        format!("{text}, or `{number}` for the number")
                    }
                    _ => text,
                },
            ))
        }
        Kind::Num(number) => {
            let same = match &there {
                Other::Int(value) => value.is_none_or(|value| digits(&number.0) == Some(value)),
                Other::Float => true,
                _ => false,
            };
            (!same).then(|| {
                let plain = plain(&number.0);
                (there.noun(written), format!("write `{plain}` for the number, or {} for the text", quoted()))
            })
        }
        _ => None,
    }
}

impl Other {
    /// As text for people; the sign of a number is as written.
    fn noun(&self, written: &str) -> String {
        let sign = if written.starts_with('-') { "-" } else { "" };
        match self {
            Self::Str => "a string".to_owned(),
            Self::Null => "null".to_owned(),
            Self::Bool(value) => format!("`{value}`"),
            Self::Int(Some(value)) => format!("the number {sign}{value}"),
            Self::Int(None) | Self::Float => "another number".to_owned(),
            Self::Time => "a date".to_owned(),
            Self::Nothing => "an error".to_owned(),
        }
    }
}

/// The magnitude of an integer of JSON.
fn digits(json: &str) -> Option<u128> {
    json.strip_prefix('-').unwrap_or(json).parse().ok()
}

/// A number without an exponent, where that is short; both readers take it.
fn plain(json: &str) -> String {
    let canonical = hookc_vm::format::number::canonical(json).unwrap_or_else(|_| json.to_owned());
    match canonical.contains(['e', 'E']) || canonical.is_empty() {
        true => json.to_owned(),
        false => canonical,
    }
}

/// The result of PyYAML's resolver for a plain scalar.
fn other(text: &str) -> Other {
    // The longest word has five letters.
    if text.len() > 5 && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Other::Str;
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Other::Null,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => return Other::Bool(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Other::Bool(false);
        }
        "=" | "<<" => return Other::Nothing,
        _ => {}
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return Other::Str;
    }
    integer(text).or_else(|| float(text).then_some(Other::Float)).unwrap_or_else(|| match is_time(text) {
        true => Other::Time,
        false => Other::Str,
    })
}

fn integer(text: &str) -> Option<Other> {
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let based = |digits: &str, base: u32| {
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        Some(Other::Int(u128::from_str_radix(&digits, base).ok()))
    };
    let consists_of = |text: &str, accepts: &dyn Fn(char) -> bool| {
        !text.is_empty() && text.chars().all(|c| c == '_' || accepts(c))
    };
    if let Some(digits) =
        rest.strip_prefix("0b").filter(|text| consists_of(text, &|c| matches!(c, '0' | '1')))
    {
        return based(digits, 2);
    }
    if let Some(digits) = rest.strip_prefix("0x").filter(|text| consists_of(text, &|c| c.is_ascii_hexdigit()))
    {
        return based(digits, 16);
    }
    if let Some(digits) =
        rest.strip_prefix('0').filter(|text| consists_of(text, &|c| ('0'..='7').contains(&c)))
    {
        return based(digits, 8);
    }
    if rest == "0" {
        return Some(Other::Int(Some(0)));
    }
    if !rest.starts_with(|c: char| ('1'..='9').contains(&c)) {
        return None;
    }
    let mut parts = rest.split(':');
    let first = parts.next().filter(|text| consists_of(text, &|c| c.is_ascii_digit()))?;
    let mut total: Option<u128> = first.replace('_', "").parse().ok();
    for part in parts {
        total = total.and_then(|total| total.checked_mul(60)?.checked_add(sixtieth(part)?));
        sixtieth(part)?;
    }
    Some(Other::Int(total))
}

/// A part of a sexagesimal number: `5`, `05`, `59`.
fn sixtieth(text: &str) -> Option<u128> {
    let fits = matches!(text.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    text.parse().ok().filter(|_| fits)
}

fn float(text: &str) -> bool {
    let digit: fn(char) -> bool = |c| c.is_ascii_digit() || c == '_';
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(fraction) = text.strip_prefix('.') {
        let (digits, rest) = head(fraction, digit);
        return digits.starts_with(|c: char| c.is_ascii_digit()) && is_exponent(rest);
    }
    let Some((whole, rest)) = unsigned.split_once('.') else { return false };
    let (fraction, rest) = head(rest, digit);
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or("");
    let starts = first.starts_with(|c: char| c.is_ascii_digit()) && first.chars().all(digit);
    let sixty = whole.contains(':');
    starts
        && parts.all(|part| sixtieth(part).is_some())
        && fraction.chars().all(digit)
        && if sixty { rest.is_empty() } else { is_exponent(rest) }
}

/// The leading characters of one kind, and the rest.
fn head(text: &str, accepts: fn(char) -> bool) -> (&str, &str) {
    text.split_at_checked(text.find(|c| !accepts(c)).unwrap_or(text.len())).unwrap_or((text, ""))
}

/// Nothing, or an exponent with its sign, which PyYAML requires.
fn is_exponent(text: &str) -> bool {
    let signed = text.strip_prefix(['e', 'E']).and_then(|rest| rest.strip_prefix(['+', '-']));
    text.is_empty()
        || signed.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// `2024-01-31`, or a date of looser form with a time of day.
fn is_time(text: &str) -> bool {
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    // Digits of `least` to `most`, and what follows.
    let take = |text: &'_ str, least: usize, most: usize| {
        let found = count(text);
        (least <= found && found <= most).then_some(found)
    };
    let day = |text: &str| -> Option<usize> {
        let year = take(text, 4, 4)?;
        let month = take(text.get(year..)?.strip_prefix('-')?, 1, 2)?;
        let at = year + 1 + month;
        let day = take(text.get(at..)?.strip_prefix('-')?, 1, 2)?;
        Some(at + 1 + day)
    };
    let Some(end) = day(text) else { return false };
    let rest = text.get(end..).unwrap_or("");
    if rest.is_empty() {
        return end == 10;
    }
    let time = rest.strip_prefix(['T', 't']).unwrap_or_else(|| rest.trim_start_matches([' ', '\t']));
    if time.len() == rest.len() {
        return false;
    }
    let clock = |text: &str| -> Option<usize> {
        let hour = take(text, 1, 2)?;
        let minute = take(text.get(hour..)?.strip_prefix(':')?, 2, 2)?;
        let at = hour + 1 + minute;
        let second = take(text.get(at..)?.strip_prefix(':')?, 2, 2)?;
        Some(at + 1 + second)
    };
    let Some(end) = clock(time) else { return false };
    let rest = time.get(end..).unwrap_or("");
    let rest =
        rest.strip_prefix('.').map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let zone = rest.trim_start_matches([' ', '\t']);
    let Some(offset) = zone.strip_prefix(['-', '+']) else { return rest.is_empty() || zone == "Z" };
    let hours = count(offset);
    let minutes = offset.get(hours..).unwrap_or("");
    match minutes.strip_prefix(':') {
        Some(minutes) => (1..=2).contains(&hours) && minutes.len() == 2 && count(minutes) == 2,
        None => (1..=2).contains(&hours) && minutes.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line as PyYAML 6.0.3 reads it (`yaml.safe_load`).
    #[test]
    fn scalars_are_read_as_pyyaml_does() {
        let int = |value| Other::Int(Some(value));
        let table = [
            ("no", Other::Bool(false)),
            ("Yes", Other::Bool(true)),
            ("ON", Other::Bool(true)),
            ("off", Other::Bool(false)),
            ("y", Other::Str),
            ("nO", Other::Str),
            ("n", Other::Str),
            ("010", int(8)),
            ("08", Other::Str),
            ("0o10", Other::Str),
            ("00", int(0)),
            ("0", int(0)),
            ("-010", int(8)),
            ("1_000", int(1000)),
            ("0b11", int(3)),
            ("0x1F", int(31)),
            ("-0x1F", int(31)),
            ("+1", int(1)),
            ("12:30:45", int(45045)),
            ("1:30", int(90)),
            ("1:60", Other::Str),
            ("0:30", Other::Str),
            ("12:30:45.5", Other::Float),
            ("1e3", Other::Str),
            ("1.0e3", Other::Str),
            ("1.0e+3", Other::Float),
            ("1.5", Other::Float),
            ("5.", Other::Float),
            (".5", Other::Float),
            ("-.5", Other::Str),
            ("._5", Other::Str),
            ("1_0.5_0", Other::Float),
            ("1.2.3", Other::Str),
            ("2024-01-31", Other::Time),
            ("2024-1-31", Other::Str),
            ("2024-1-31 1:02:03", Other::Time),
            ("2024-01-31T10:00:00Z", Other::Time),
            ("2024-01-31 10:00:00.5 +02:00", Other::Time),
            ("2024-01-31T10:00", Other::Str),
            ("2024-01-31T10:00:00+0200", Other::Str),
            ("2024-01-31T10:00:00+02", Other::Time),
            ("2024-01-31x", Other::Str),
            ("=", Other::Nothing),
            ("<<", Other::Nothing),
            ("~", Other::Null),
            ("", Other::Null),
            ("-", Other::Str),
            ("+", Other::Str),
        ];
        for (text, expected) in table {
            assert_eq!(other(text), expected, "{text}");
        }
    }
}
