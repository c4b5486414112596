//! Which kind an error of an event is, as tests name it.

use hookc_schema::dialect::test::EventErrorKind;
use hookc_vm::DecideError;
use hookc_vm::EventError;

/// The kind of an error; `None` for one that has no name yet.
#[must_use]
pub fn error_kind(error: &DecideError) -> Option<EventErrorKind> {
    Some(match error {
        DecideError::Event(EventError::TooLarge(_)) => EventErrorKind::TooLarge,
        DecideError::Event(EventError::TooDeep(_)) => EventErrorKind::TooDeep,
        DecideError::Event(EventError::Utf8(_)) => EventErrorKind::Utf8,
        DecideError::Event(EventError::Syntax(..)) => EventErrorKind::Syntax,
        DecideError::Event(EventError::NotAnObject) => EventErrorKind::NotAnObject,
        DecideError::Event(EventError::Surrogate(_)) => EventErrorKind::Surrogate,
        DecideError::Event(EventError::Exponent(_)) => EventErrorKind::Exponent,
        DecideError::Event(EventError::Duplicate(_)) => EventErrorKind::Duplicate,
        DecideError::Event(EventError::NoType) => EventErrorKind::NoType,
        DecideError::Event(EventError::AmbiguousType(_)) => EventErrorKind::AmbiguousType,
        DecideError::Pattern { .. } => EventErrorKind::Pattern,
        DecideError::QuerySteps(_) => EventErrorKind::QuerySteps,
        DecideError::SchemaSteps(_) => EventErrorKind::SchemaSteps,
        DecideError::SchemaDepth(_) => EventErrorKind::SchemaDepth,
        _ => return None,
    })
}
