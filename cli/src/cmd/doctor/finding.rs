//! The problem of a hook, and how it is reported.

use std::fmt::Write;

use hookc_schema::terminal::escape;
use hookc_schema::{Code, Diagnostic, HookEffect, Sources, Span};
use serde::Serialize;

use super::around::CheckedSettings;
use super::call::Called;
use crate::args::Format;
use crate::screen::{Colour, Style};

/// Something about a hook.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// It can never fire, or fails when it does.
    pub(super) dead: bool,
    /// A name, or the code of a diagnostic.
    pub(super) what: String,
    /// `file:line:column`
    #[serde(rename = "place")]
    pub(super) location: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Finding {
    /// What it is about: a dead hook is not also odd.
    pub(super) fn key(&self) -> (String, String) {
        (self.what.clone(), self.location.clone())
    }
}

/// All findings, and the number of checked files.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) found: Vec<Finding>,
    pub(super) files: usize,
    /// The checked settings with hooks.
    pub(super) checked: Vec<CheckedSettings>,
    /// The calls of policies in them.
    pub(super) called: Vec<Called>,
}

impl Findings {
    pub(super) fn dead(&mut self, what: &str, location: String, message: String, help: &str) {
        self.add(true, what, location, message, help);
    }

    pub(super) fn odd(&mut self, what: &str, location: String, message: String, help: &str) {
        self.add(false, what, location, message, help);
    }

    fn add(&mut self, dead: bool, what: &str, location: String, message: String, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.found.push(Finding { dead, what: what.to_owned(), location, message, help });
    }

    /// Removes the words of a file in another directory from the findings after the first ones: a link may lead to a secret.
    pub(super) fn withhold(&mut self, first: usize, name: &str) {
        for one in self.found.iter_mut().skip(first) {
            let title = Code::from_name(&one.what).map(|code| format!("{}; ", code.title()));
            one.message = format!(
                "{}the text of `{name}` is not shown, because it is in another directory",
                title.unwrap_or_default()
            );
            one.help = Some("run `hookc doctor` on that file to see its text".to_owned());
        }
    }

    /// The compiler's diagnostics about hooks that do not fire.
    pub(super) fn diagnosed(&mut self, diagnostics: &[Diagnostic], sources: &Sources, name: &str) {
        for diagnostic in diagnostics {
            let Some(dead) = kills(diagnostic) else { continue };
            let location =
                diagnostic.span().map_or_else(|| name.to_owned(), |span: Span| sources.location(span));
            let help = diagnostic.help.as_deref().unwrap_or("");
            self.add(dead, diagnostic.code.name(), location, diagnostic.message.clone(), help);
        }
    }
}

/// Whether a diagnostic means that a hook does not fire; `None` if unrelated. What the diagnostic itself says comes
/// before the list of codes.
fn kills(diagnostic: &Diagnostic) -> Option<bool> {
    if let Some(effect) = diagnostic.hook_effect {
        return Some(effect == HookEffect::Dead);
    }
    match diagnostic.code {
        _ if diagnostic.is_error() => Some(true),
        Code::W0234
        | Code::W0237
        | Code::W0238
        | Code::W0239
        | Code::W0240
        | Code::W0245
        | Code::W0246
        | Code::W0251
        | Code::W0282
        | Code::W0283
        | Code::W0285
        | Code::W0286
        | Code::W0415
        | Code::W0602
        | Code::W0619
        | Code::W0631
        | Code::W0635
        | Code::W0638
        | Code::W0685 => Some(true),
        // A condition that is never true can be one of several alternatives.
        Code::W0231
        | Code::W0232
        | Code::W0235
        | Code::W0236
        | Code::W0242
        | Code::W0426
        | Code::W0601
        | Code::W0604
        | Code::W0605
        | Code::W0615
        | Code::W0620
        | Code::W0627
        | Code::W0629
        | Code::W0634
        | Code::W0637
        | Code::W0639
        | Code::W0667
        | Code::W0686
        | Code::W0687 => Some(false),
        _ => None,
    }
}

/// Rendering: one finding per line with its help below, or JSON lines.
pub(super) fn shown(found: &[Finding], format: Format, style: Style) -> String {
    let mut text = String::new();
    for finding in found {
        if format == Format::Json {
            let _ = writeln!(text, "{}", serde_json::json!(finding));
            continue;
        }
        let Finding { dead, what, location, message, help } = finding;
        let (dead, colour) = if *dead { ("dead", Colour::Red) } else { ("odd", Colour::Yellow) };
        let kind = style.paint(&format!("{dead}[{what}]"), colour);
        let _ = writeln!(text, "{}: {kind}: {}", escape(location), escape(message));
        if let Some(help) = help.as_ref().filter(|_| format != Format::Short) {
            let _ = writeln!(text, "    help: {}", escape(help));
        }
    }
    text
}
