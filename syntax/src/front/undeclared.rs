//! The diagnostic for undeclared events.

use hookc_schema::tree::Family;
use hookc_schema::{Code, Diagnostic, Spanned};

/// The diagnostic for an event that no file declares.
#[must_use]
pub fn undeclared(name: &Spanned<String>, family: Family, near: Option<&str>) -> Diagnostic {
    let what = format!("event `{}` is not declared", name.node);
    let new = Diagnostic::new(Code::W0415, name.span, what)
        .with_label("no event type has this name")
        .note("the hook is compiled, and its fields are not checked");
    match near {
        Some(_) => new.did_you_mean(near, name.span),
        None if family == Family::Agent => {
            new.help("coding agents send `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `Stop` and others")
        }
        None if family == Family::Repository => new.help(
            "sessions in a repository send `PromptSubmit`, `PreAbilityCall`, `PostAbilityCall`, `SessionStop` and others",
        ),
        None => new.help("if a program sends it, declare it under `events:`"),
    }
}
