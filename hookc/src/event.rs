//! An event, in any of the forms that programs have it in.

use serde_json::Value;

/// An event that an [`Engine`](crate::Engine) decides about: JSON as bytes or text, or
/// a parsed value. All of them convert into it, so that you rarely name it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let policy = hookc::Policy::from_yaml("hooks: [{event: Stop, action: {type: allow}}]")?;
/// let engine = hookc::Engine::new(policy);
/// let value = serde_json::json!({"hook_event_name": "Stop"});
/// assert_eq!(engine.decide(&value)?.hooks().len(), 1);
/// assert_eq!(engine.decide(&value.to_string())?.hooks().len(), 1);
/// assert_eq!(engine.decide(br#"{"hook_event_name": "Stop"}"#)?.hooks().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Event<'a>(pub(crate) Form<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    Bytes(&'a [u8]),
    Value(&'a Value),
}

impl<'a> From<&'a [u8]> for Event<'a> {
    fn from(event: &'a [u8]) -> Self {
        Self(Form::Bytes(event))
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Event<'a> {
    fn from(event: &'a [u8; N]) -> Self {
        Self(Form::Bytes(event))
    }
}

impl<'a> From<&'a Vec<u8>> for Event<'a> {
    fn from(event: &'a Vec<u8>) -> Self {
        Self(Form::Bytes(event))
    }
}

impl<'a> From<&'a str> for Event<'a> {
    fn from(event: &'a str) -> Self {
        Self(Form::Bytes(event.as_bytes()))
    }
}

impl<'a> From<&'a String> for Event<'a> {
    fn from(event: &'a String) -> Self {
        Self(Form::Bytes(event.as_bytes()))
    }
}

impl<'a> From<&'a Value> for Event<'a> {
    fn from(event: &'a Value) -> Self {
        Self(Form::Value(event))
    }
}
