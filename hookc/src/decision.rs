//! Decisions that own their data.

use std::error::Error;

use hookc_base::action::Action;
use hookc_base::decision::{DecisionWriter, Detail, HookFields};
use hookc_base::{Family, Layer, Mode, OnError, OnFailure, Strategy};
use hookc_vm::RenderError;
use serde_json::Value;

use crate::ActionError;

/// Which hooks matched an event. No hooks: no opinion, which is not permission.
///
/// It owns its text, so it can outlive the engine and go to another thread.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookc::{Engine, Policy};
///
/// let policy = Policy::from_yaml("hooks: [{id: no, event: Stop, mode: warn, action: {type: deny}}]")?;
/// let decision = Engine::new(policy).decide(r#"{"hook_event_name": "Stop"}"#)?;
/// assert_eq!(decision.event_type(), "Stop");
/// // A hook in `mode: warn` decides nothing.
/// assert!(decision.is_empty());
/// assert_eq!(decision.reported()[0].id(), "no");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Decision {
    event: String,
    family: Option<Family>,
    strategy: Strategy,
    hooks: Vec<MatchedHook>,
    reported: Vec<MatchedHook>,
    unknown: Vec<(MatchedHook, String)>,
    /// Its number in its session.
    pub(crate) step: Option<u64>,
}

/// A hook that matched, with its action filled in from the event.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookc::{Action, Engine, Policy};
///
/// let policy = Policy::from_yaml("hooks: [{id: no, event: Stop, action: {type: deny, reason: '${why}'}}]")?;
/// let decision = Engine::new(policy).decide(r#"{"hook_event_name": "Stop", "why": "tests"}"#)?;
/// let hook = &decision.hooks()[0];
/// assert_eq!((hook.id(), hook.kind(), hook.to_json()?), ("no", "deny", r#"{"type":"deny","reason":"tests"}"#));
/// assert_eq!(hook.location().map(|location| (location.line, location.column)), Some((1, 9)));
/// assert!(matches!(hook.action()?, Action::Deny(_)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MatchedHook {
    id: String,
    /// Whether the module has its id or label.
    has_label: bool,
    rank: u32,
    mode: Mode,
    layer: Option<Layer>,
    location: Option<Location>,
    on_error: Option<OnError>,
    on_failure: Option<OnFailure>,
    kind: String,
    action: Result<String, RenderError>,
}

/// Where a hook is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Location {
    /// The name of the source.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

impl Location {
    /// A location.
    #[must_use]
    pub fn new(file: impl Into<String>, line: u32, column: u32) -> Self {
        Self { file: file.into(), line, column }
    }
}

impl From<&hookc_vm::Decision<'_>> for Decision {
    /// Copies the decision of a [`Module`](crate::Module) and renders its actions, for a program that
    /// keeps [`Scratch`](crate::Scratch)es of its own.
    ///
    /// ```
    /// use hookc::{DecideOptions, Decision, Policy, Scratch};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let policy = Policy::from_yaml("hooks: [{event: Stop, action: {type: allow}}]")?;
    /// let mut scratch = Scratch::new();
    /// let event = br#"{"hook_event_name": "Stop"}"#;
    /// let decision = Decision::from(&policy.module().decide(&mut scratch, event, &DecideOptions::default())?);
    /// assert_eq!(decision.hooks()[0].kind(), "allow");
    /// # Ok(())
    /// # }
    /// ```
    fn from(decision: &hookc_vm::Decision<'_>) -> Self {
        Self {
            event: decision.event().to_owned(),
            family: decision.family(),
            strategy: decision.strategy(),
            hooks: decision.hooks().map(|hook| MatchedHook::from_vm(&hook)).collect(),
            reported: decision.reported().map(|hook| MatchedHook::from_vm(&hook)).collect(),
            unknown: decision
                .unknown()
                .map(|unknown| (MatchedHook::from_vm(&unknown.hook), unknown.cause.to_string()))
                .collect(),
            step: None,
        }
    }
}

impl Decision {
    /// The event's type.
    #[must_use]
    pub fn event_type(&self) -> &str {
        &self.event
    }

    /// The vocabulary of the event's type; `None` if the policy has no hooks for it.
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        self.family
    }

    /// How the hooks of the event's type combine.
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// The hooks that decide, in the order of the policy: at most one under
    /// [`Strategy::First`].
    #[must_use]
    pub fn hooks(&self) -> &[MatchedHook] {
        &self.hooks
    }

    /// The hooks in [`Mode::Warn`] and [`Mode::Shadow`] that match. They decide
    /// nothing.
    #[must_use]
    pub fn reported(&self) -> &[MatchedHook] {
        &self.reported
    }

    /// The hooks whose condition is unknown, because what happened before is, each with the cause. Such a hook has failed:
    /// your program fails open or closed, as [`MatchedHook::on_failure`] says.
    pub fn unknown(&self) -> impl ExactSizeIterator<Item = (&MatchedHook, &str)> {
        self.unknown.iter().map(|(hook, cause)| (hook, cause.as_str()))
    }

    /// Its number in its [`Session`](crate::Session), for [`Session::settle`](crate::Session::settle); `None` of a
    /// decision without one.
    #[must_use]
    pub fn step(&self) -> Option<u64> {
        self.step
    }

    /// Whether no hook decides: no opinion.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hooks.is_empty()
    }

    /// This decision without its hooks: no opinion. For a program whose hooks can be turned off.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use hookc::{Engine, Policy};
    ///
    /// let policy = Policy::from_yaml("hooks: [{event: Stop, action: {type: deny}}]")?;
    /// let decision = Engine::new(policy).decide(r#"{"hook_event_name": "Stop"}"#)?;
    /// assert!(!decision.is_empty());
    /// assert!(decision.without_hooks().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn without_hooks(self) -> Self {
        Self { hooks: Vec::new(), reported: Vec::new(), unknown: Vec::new(), ..self }
    }

    /// The decision as compact JSON, the same text in every binding
    /// ([`hookc_vm::Decision::write_json`]), in the form that `hookc schema decision` describes. Numbers in
    /// actions are exact.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.write(|hook, cause, writer| {
            writer.hook(&hook.fields(hook.action.as_deref().map_err(|error| error as _), cause))
        })
    }

    /// The decision as compact JSON, whose hooks `add` adds.
    pub(crate) fn write(
        &self,
        mut add: impl FnMut(&MatchedHook, Option<&str>, &mut DecisionWriter<'_>),
    ) -> String {
        let mut out = String::new();
        let mut writer = DecisionWriter::start(&self.event, Detail::Full, &mut out);
        self.hooks.iter().for_each(|hook| add(hook, None, &mut writer));
        writer.reported();
        self.reported.iter().for_each(|hook| add(hook, None, &mut writer));
        writer.unknown();
        self.unknown().for_each(|(hook, cause)| add(hook, Some(cause), &mut writer));
        writer.end(self.family, self.strategy);
        out
    }
}

impl MatchedHook {
    fn from_vm(hook: &hookc_vm::MatchedHook<'_>) -> Self {
        let mut action = String::new();
        let rendered = hook.render(&mut action);
        Self {
            id: hook.label().map_or_else(|| format!("rank {}", hook.rank()), str::to_owned),
            has_label: hook.label().is_some(),
            rank: hook.rank(),
            mode: hook.mode(),
            layer: hook.layer(),
            location: hook.location().map(|(file, line, column)| Location::new(file, line, column)),
            on_error: hook.on_error(),
            on_failure: hook.on_failure(),
            kind: hook.kind().to_owned(),
            action: rendered.map(|()| action),
        }
    }

    /// Its members as JSON, with this action, and why its condition is unknown, if it is.
    pub(crate) fn fields<'a>(
        &'a self,
        action: Result<&'a str, &'a dyn Error>,
        cause: Option<&'a str>,
    ) -> HookFields<'a> {
        let location = self.location.as_ref();
        HookFields {
            id: self.label(),
            rank: self.rank,
            mode: self.mode,
            layer: self.layer,
            location: location.map(|location| (location.file.as_str(), location.line, location.column)),
            on_error: self.on_error,
            on_failure: self.on_failure,
            kind: &self.kind,
            action,
            cause,
        }
    }

    /// Its id, or the label that the compiler gave it. In a module without names
    /// (`strip`) it is `rank 0`, `rank 1` and so on.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its id or label, if the module has it.
    pub(crate) fn label(&self) -> Option<&str> {
        self.has_label.then_some(&*self.id)
    }

    /// Its position among the hooks of its event type, from 0.
    #[must_use]
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// Whether it decides, warns, or is only logged.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Its layer; `None` in a stripped module.
    #[must_use]
    pub fn layer(&self) -> Option<Layer> {
        self.layer
    }

    /// Where it is written; `None` in a stripped module.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// The policy's `on_error` for a failed action, if it has one.
    #[must_use]
    pub fn on_error(&self) -> Option<OnError> {
        self.on_error
    }

    /// The policy's failure mode, if it has one.
    #[must_use]
    pub fn on_failure(&self) -> Option<OnFailure> {
        self.on_failure
    }

    /// The kind of its action, such as `deny`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Its action, typed.
    ///
    /// # Errors
    /// The action cannot be rendered, or a parameter has the wrong type.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use hookc::{Action, Engine, Policy};
    ///
    /// let policy = Policy::from_yaml("hooks: [{event: Stop, action: {type: deny, reason: 'not ${yet}'}}]")?;
    /// let decision = Engine::new(policy).decide(r#"{"hook_event_name": "Stop", "yet": "now"}"#)?;
    /// match decision.hooks()[0].action()? {
    ///     Action::Deny(deny) => assert_eq!(deny.reason.as_deref(), Some("not now")),
    ///     other => panic!("{other:?}"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn action(&self) -> Result<Action, ActionError> {
        Action::parse(self.to_json()?).map_err(|error| ActionError::Parse(error.into()))
    }

    /// Its action as JSON text: `type` first, then the parameters by name.
    ///
    /// # Errors
    /// The action cannot be rendered.
    pub fn to_json(&self) -> Result<&str, ActionError> {
        match &self.action {
            Ok(json) => Ok(json),
            Err(error) => Err(ActionError::Render(error.clone())),
        }
    }

    /// Its action as a JSON value.
    ///
    /// # Errors
    /// As [`MatchedHook::action`].
    pub fn to_value(&self) -> Result<Value, ActionError> {
        let parse = |error| ActionError::Parse(hookc_base::action::ParseActionError::Json(error).into());
        serde_json::from_str(self.to_json()?).map_err(parse)
    }

    /// Its action as a type of your own.
    ///
    /// # Errors
    /// The action cannot be rendered, or your type does not take it.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// #[derive(serde::Deserialize)]
    /// struct Verdict {
    ///     r#type: String,
    ///     reason: Option<String>,
    /// }
    ///
    /// let policy = hookc::Policy::from_yaml("hooks: [{event: Stop, action: {type: deny, reason: tests}}]")?;
    /// let decision = hookc::Engine::new(policy).decide(r#"{"hook_event_name": "Stop"}"#)?;
    /// let verdict: Verdict = decision.hooks()[0].deserialize()?;
    /// assert_eq!((verdict.r#type.as_str(), verdict.reason.as_deref()), ("deny", Some("tests")));
    ///
    /// // A decision, a hook and diagnostics implement `Serialize`.
    /// assert!(serde_json::to_string(&decision)?.contains(r#""action":{"type":"deny","reason":"tests"}"#));
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "serde")]
    pub fn deserialize<'a, T: serde::Deserialize<'a>>(&'a self) -> Result<T, ActionError> {
        serde_json::from_str(self.to_json()?).map_err(|error| ActionError::Deserialize(error.into()))
    }
}
