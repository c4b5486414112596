//! Checks the meaning of a handler's answer at an event: its format, and the permission rule of the
//! handler. With a format that the event does not support, a denial would be lost.

use hookc_base::action::Kind;
use hookc_schema::tree::Family;
use hookc_schema::value::Value;
use hookc_schema::vocab::{EventType, Vocabulary};
use hookc_schema::{Code, Diagnostic, Span};

use super::event::Scope;

/// Whether actions of a kind have a permission rule as `if`.
fn is_ruled(kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Run | Kind::Prompt | Kind::Agent | Kind::Http | Kind::McpTool))
}

/// The context of an action.
pub(super) struct At<'s> {
    /// The vocabulary of the hook's dialect.
    pub(super) dialect: Family,
    /// Whether it is a typed action, whose strings are templates.
    pub(super) typed: bool,
    /// The event's name.
    pub(super) event: &'s str,
    /// The event.
    pub(super) scope: &'s Scope,
}

impl At<'_> {
    /// The default value of a parameter at this event, if it differs from the vocabulary's:
    /// handlers of a repository print signals.
    pub(super) fn default(&self, kind: Option<Kind>, name: &str, vocabulary: &Value) -> Option<Value> {
        let is_default = (kind, name, vocabulary.as_str()) == (Some(Kind::Run), "result", Some("status"));
        (is_default && self.scope.family == Family::Repository)
            .then(|| Value::string("signals", vocabulary.span))
    }

    /// The error of a parameter here.
    pub(super) fn check(
        &self,
        kind: Option<Kind>,
        name: &str,
        value: Option<&str>,
        span: Span,
    ) -> Option<Diagnostic> {
        match (kind, name) {
            (Some(Kind::Run), "result") => self.foreign(value?, span),
            (Some(Kind::Inject), "file") if value.is_none() => Some(chosen_file(span)),
            (_, "if") if is_ruled(kind) && self.is_without_tool() => Some(never(span, self.event)),
            _ => None,
        }
    }

    /// Whether `if` of this kind is a permission rule that nothing has checked: the dialect of an
    /// agent checks those of its handlers.
    pub(super) fn takes_rule(&self, kind: Option<Kind>) -> bool {
        let checked = self.dialect == Family::Agent && !self.typed;
        is_ruled(kind) && !checked && self.scope.has_tools()
    }

    fn foreign(&self, form: &str, span: Span) -> Option<Diagnostic> {
        let (whose, supported) = match form {
            "agent" | "flat" | "gemini" | "cursor" | "copilot" => ("coding agents", Family::Agent),
            "signals" => ("repositories", Family::Repository),
            "return" => ("threads", Family::Thread),
            _ => return None,
        };
        let family = self.scope.family;
        // In a repository's own file this cannot be changed: its event is reported (W0251).
        if supported == family || (supported, self.dialect) == (Family::Repository, Family::Repository) {
            return None;
        }
        let what = format!("`result: {form}` is not supported at `{}`", self.event);
        let new =
            Diagnostic::new(Code::E0422, span, what).with_label(format!("a format for handlers of {whose}"));
        Some(new.help(match family {
            Family::Agent => "write `agent`, or `status` to use the exit status alone",
            Family::Repository => "write `signals`, or `status` to use the exit status alone",
            Family::Thread => "write `return`, or `status` to use the exit status alone",
            Family::Skill | Family::Workflow => "write `status` to use the exit status alone",
        }))
    }

    /// Whether an event of the shipped vocabulary never contains its tool. Events declared by a
    /// policy may have undeclared fields.
    fn is_without_tool(&self) -> bool {
        let shipped = Vocabulary::builtin();
        let shipped = shipped.events.get(&(self.scope.family, self.event.to_owned()));
        let has = |event: &EventType| event.schema.property("tool_name").is_some();
        shipped.is_some_and(|event| !has(event)) && !self.scope.declared.as_deref().is_some_and(has)
    }
}

fn never(span: Span, event: &str) -> Diagnostic {
    let what = format!("`if` is a permission rule for a tool, and `{event}` has no tool");
    let new = Diagnostic::new(Code::E0423, span, what).with_label("never true");
    new.help("write a condition under `when`, or remove `if`")
}

/// A file for the model whose name comes from the event.
fn chosen_file(span: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::E0307, span, "a template in the name of the file that `inject` adds");
    new.with_label("the event would determine which file the model reads").help("name the file itself")
}
