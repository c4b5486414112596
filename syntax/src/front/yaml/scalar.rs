//! The meaning of a scalar: the core schema for plain ones, and the tags with a JSON type.

use hookc_schema::Code;
use hookc_schema::value::{Kind, Number, Text};

use super::buffers::Buffers;
use super::events::{Style, Tag};
use super::number::{self, Parsed};

/// Why a scalar has no meaning here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) label: &'static str,
    pub(crate) help: String,
}

/// Resolves a scalar. `spelling` is the tag as written; a string comes back
/// without a map.
pub(crate) fn resolve(
    text: &str,
    style: Style,
    tag: Option<&Tag>,
    spelling: &str,
    buffers: &mut Buffers,
) -> Result<Kind, Refusal> {
    match tag {
        None if style == Style::Plain => core(text, buffers),
        None | Some(Tag::NonSpecific | Tag::Core("str")) => Ok(string(text, buffers)),
        Some(Tag::Core(name)) => tagged(text, name, spelling, buffers),
        Some(Tag::Other) => Err(unknown_tag(spelling)),
    }
}

fn string(text: &str, buffers: &mut Buffers) -> Kind {
    Kind::Str(Text::plain(buffers.string(text)))
}

/// The core schema (YAML 1.2.2 §10.3.2): `no`, `on` and `1:30` are strings.
fn core(text: &str, buffers: &mut Buffers) -> Result<Kind, Refusal> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        _ => match number::parse(text) {
            None => string(text, buffers),
            Some(Parsed::Json(json)) => Kind::Num(Number(json)),
            Some(Parsed::NotFinite) => return Err(not_finite(text)),
            Some(Parsed::Exponent) => return Err(exponent()),
        },
    })
}

/// A scalar under `!!int`, `!!float`, `!!bool`, `!!null` must have that type.
fn tagged(text: &str, name: &str, spelling: &str, buffers: &mut Buffers) -> Result<Kind, Refusal> {
    let kind = core(text, buffers)?;
    let fits = match (name, &kind) {
        ("null", Kind::Null) | ("bool", Kind::Bool(_)) | ("float", Kind::Num(_)) => true,
        ("int", Kind::Num(number)) => !number.0.contains(['.', 'e', 'E']),
        _ => false,
    };
    if fits { Ok(kind) } else { Err(misfit(spelling)) }
}

/// A tag on a value that it does not fit.
pub(super) fn misfit(spelling: &str) -> Refusal {
    Refusal {
        code: Code::E0105,
        message: format!("the tag `{spelling}` does not fit this value"),
        label: "of another type",
        help: "remove the tag, or write a value of its type".to_owned(),
    }
}

/// A tag without a corresponding JSON type.
pub(super) fn unknown_tag(spelling: &str) -> Refusal {
    let help = match spelling {
        "!!timestamp" | "!!binary" => "remove the tag and write the value as a string in quotes",
        "!!set" => "write a list of strings",
        "!!omap" | "!!pairs" => "write a mapping",
        "!!merge" => "write `<<` without the tag",
        _ => "remove the tag; if the `!` is part of the text, put the text in quotes",
    };
    Refusal {
        code: Code::E0105,
        message: format!("the tag `{spelling}` represents a value that JSON cannot represent"),
        label: "",
        help: help.to_owned(),
    }
}

fn not_finite(text: &str) -> Refusal {
    Refusal {
        code: Code::E0105,
        message: format!("JSON cannot represent the number `{text}`"),
        label: "not a finite number",
        help: format!("write a finite number, or '{text}' in quotes for the text"),
    }
}

fn exponent() -> Refusal {
    Refusal {
        code: Code::E0308,
        message: "a number's exponent is beyond \u{b1}10,000".to_owned(),
        label: "too large or too small",
        help: "write a smaller exponent, or put quotes around text that only looks like a number".to_owned(),
    }
}

/// The apparent type of a rejected scalar: its type without the tag, or a number if JSON cannot
/// represent it.
pub(super) fn likely(text: &str, style: Style, buffers: &mut Buffers) -> Kind {
    if style != Style::Plain {
        return string(text, buffers);
    }
    core(text, buffers).unwrap_or_else(|_| Kind::Num(Number("0".to_owned())))
}

/// A scalar as a key: its text.
pub(super) fn as_key(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Null => Some("null".to_owned()),
        Kind::Bool(value) => Some(value.to_string()),
        Kind::Num(number) => Some(number.0.clone()),
        Kind::Str(text) => Some(text.value.clone()),
        Kind::Seq(_) | Kind::Map(_) => None,
    }
}
