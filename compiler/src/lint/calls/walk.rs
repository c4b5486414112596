//! What a line does with the streams and the exit status of some of its commands.
//!
//! Only what is certain is lost: a stream that goes through a program whose output is not known is unknown.

use std::ops::Range;
use std::time::Duration;

use hookc_schema::agents::DenyingExit;
use hookc_shell::syntax::{Command, CommandKind, Joint, List, Pipeline, Redirect, parse};

use super::streams::{Origin, Stream, Streams};
use super::words::{certain, copies, is_end, prints_words, says_nothing_new, whole, words};

/// Most commands that are followed: functions can call each other.
pub(super) const COMMANDS: usize = 4096;

/// How deep lines, functions and substitutions are followed within one another.
pub(super) const DEPTH: usize = 32;

/// Where in the line something is lost. None within a line in a word.
pub(super) type Cause = Option<Range<usize>>;

/// Whether something arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Kept,
    Lost(Cause),
    Unknown,
}

/// What becomes of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fate {
    /// Whether it runs.
    pub(super) runs: Way,
    /// Whether the line waits for it.
    pub(super) is_awaited: Way,
    /// Whether its input is that of the line.
    pub(super) input: Way,
    /// Whether its output is that of the line.
    pub(super) output: Way,
    /// Whether the line ends with its status if that is not 0, or with another one that denies.
    pub(super) status: Way,
    /// Whether the line succeeds if it does.
    pub(super) success: Way,
    /// Whether nothing else certainly writes to the output of the line.
    pub(super) is_alone: Way,
    /// After which time it is ended.
    pub(super) limit: Option<Duration>,
}

/// Finds the commands of a line and what becomes of them. `denying` are the statuses that deny.
pub(super) fn fates(line: &str, is_wanted: fn(&[&str]) -> bool, denying: DenyingExit) -> Vec<Fate> {
    let mut walk = Walk {
        is_wanted,
        denying,
        text: line,
        is_inner: false,
        functions: Vec::new(),
        taken: Way::Kept,
        others: Way::Kept,
        commands: 0,
        depth: 0,
        found: Vec::new(),
    };
    let Ok(list) = parse(line) else { return Vec::new() };
    let mut state = State::default();
    walk.list(&list, &mut state);
    walk.uncalled(&state);
    let others = walk.others;
    walk.found.into_iter().map(|fate| Fate { is_alone: others.clone(), ..fate }).collect()
}

/// The pipeline before the `&` that starts a pipeline in the background: `a || b &` starts both.
fn in_background(list: &List, at: usize) -> Option<&Pipeline> {
    let from = list.pipelines.get(at..)?;
    let after = from.iter().skip(1).take_while(|next| next.joint != Joint::Next).count();
    from.get(after).filter(|last| last.is_background)
}

/// What applies to a command from what is around it.
#[derive(Clone)]
pub(super) struct State {
    pub(super) streams: Streams,
    pub(super) runs: Way,
    pub(super) is_awaited: Way,
    pub(super) status: Way,
    pub(super) success: Way,
    /// Whether it may not run, or not alone.
    pub(super) is_maybe: bool,
    /// `set -e`, `set -o pipefail`
    pub(super) ends_on_failure: bool,
    pub(super) fails_in_pipes: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            streams: Streams::default(),
            runs: Way::Kept,
            is_awaited: Way::Kept,
            status: Way::Kept,
            success: Way::Kept,
            is_maybe: false,
            ends_on_failure: false,
            fails_in_pipes: false,
        }
    }
}

/// A function of the line.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) body: Command,
    pub(super) is_called: bool,
}

pub(super) struct Walk<'t> {
    pub(super) is_wanted: fn(&[&str]) -> bool,
    pub(super) denying: DenyingExit,
    /// The text of the list.
    pub(super) text: &'t str,
    /// Whether that is a word of the line.
    pub(super) is_inner: bool,
    pub(super) functions: Vec<Function>,
    /// Whether the input of the line is still there.
    pub(super) taken: Way,
    /// Whether the line prints a text of its own.
    pub(super) others: Way,
    pub(super) commands: usize,
    pub(super) depth: usize,
    pub(super) found: Vec<Fate>,
}

impl Walk<'_> {
    pub(super) fn list(&mut self, list: &List, state: &mut State) {
        if self.depth > DEPTH {
            return;
        }
        self.depth += 1;
        let (mut value, mut ended) = (None, Way::Kept);
        for (at, pipeline) in list.pipelines.iter().enumerate() {
            let mut inner = state.clone();
            let is_skipped = match pipeline.joint {
                Joint::Next => false,
                Joint::And => value == Some(false),
                Joint::Or => value == Some(true),
            };
            if is_skipped {
                inner.runs = Way::Lost(self.cause(list.pipelines.get(at.saturating_sub(1)).and_then(whole)));
            } else if ended != Way::Kept {
                inner.runs = ended.clone();
            }
            inner.is_maybe |= pipeline.joint != Joint::Next && value.is_none();
            inner.status = self.status(list, at, state);
            if self.fails_after(list, at) {
                let rest = whole(pipeline).map(|span| span.end..self.text.len());
                inner.success = Way::Lost(self.cause(rest));
            }
            let background = in_background(list, at);
            if let Some(last) = background {
                let cause = self.cause(whole(last).map(|span| span.end..self.text.len()));
                inner.is_awaited = Way::Lost(cause.clone());
                inner.status = Way::Lost(cause.clone());
                inner.streams.set(0, Stream::lost(cause));
            }
            self.pipeline(pipeline, inner, state);
            let is_certain = pipeline.joint == Joint::Next || value.is_some();
            let is_here = !is_skipped && is_certain && background.is_none();
            if is_here && is_end(pipeline) && ended == Way::Kept {
                ended = Way::Lost(self.cause(whole(pipeline)));
            }
            value = match (pipeline.joint, value, certain(pipeline)) {
                (Joint::Next, _, new) => new,
                (Joint::And, Some(true), new) | (Joint::Or, Some(false), new) => new,
                (Joint::And, Some(false), _) => Some(false),
                (Joint::Or, Some(true), _) => Some(true),
                (Joint::And, None, new) => new.filter(|new| !new),
                (Joint::Or, None, new) => new.filter(|new| *new),
            };
        }
        self.depth -= 1;
    }

    /// Whether the list ends with the status of a pipeline that fails.
    fn status(&self, list: &List, at: usize, state: &State) -> Way {
        let after = list.pipelines.get(at.saturating_add(1)..).unwrap_or_default();
        let rest = list.pipelines.get(at).and_then(whole).map(|span| span.end..self.text.len());
        let cause = || self.cause(rest.clone());
        let text = rest.clone().and_then(|rest| self.text.get(rest)).unwrap_or_default();
        for pipeline in after {
            match pipeline.joint {
                Joint::And => {}
                Joint::Or => {
                    return match self.ends_with(pipeline) {
                        Way::Lost(_) => Way::Lost(cause()),
                        other => other,
                    };
                }
                Joint::Next if state.ends_on_failure => return Way::Kept,
                Joint::Next => {
                    let last = after.last().map_or(Way::Unknown, |last| self.ends_with(last));
                    let is_read = ["$?", "${?", "PIPESTATUS"].iter().any(|name| text.contains(name));
                    let ends_at_once =
                        matches!(words(pipeline).as_deref(), Some(["exit"])) && !pipeline.is_background;
                    return match last {
                        _ if ends_at_once => state.status.clone(),
                        _ if is_read => Way::Unknown,
                        // Every event is denied.
                        Way::Kept => Way::Unknown,
                        _ => Way::Lost(cause()),
                    };
                }
            }
        }
        state.status.clone()
    }

    /// Whether the list fails although a pipeline in it succeeds.
    fn fails_after(&self, list: &List, at: usize) -> bool {
        let after = list.pipelines.get(at.saturating_add(1)..).unwrap_or_default();
        let fails = |pipeline: &Pipeline| match words(pipeline).as_deref() {
            Some(["false"]) => !self.denying.denies(1),
            Some(["exit", status]) => {
                status.parse().is_ok_and(|status: i32| status != 0 && !self.denying.denies(status))
            }
            _ => false,
        };
        let next = after.iter().take_while(|pipeline| pipeline.joint == Joint::And).any(fails);
        next || after.last().is_some_and(|last| last.joint == Joint::Next && fails(last))
    }

    /// Whether a pipeline ends its line with a status that denies, or with one that does not.
    fn ends_with(&self, pipeline: &Pipeline) -> Way {
        let inner = pipeline.commands.last().and_then(|command| match &command.kind {
            CommandKind::Group(list) | CommandKind::Subshell(list) => list.pipelines.last(),
            _ => None,
        });
        if let Some(inner) = inner {
            return self.ends_with(inner);
        }
        let Some(words) = words(pipeline) else { return Way::Unknown };
        match words.as_slice() {
            ["exit" | "return"] => Way::Kept,
            ["exit" | "return", status, ..] => match status.parse() {
                Ok(status) if self.denying.denies(status) => Way::Kept,
                Ok(_) => Way::Lost(None),
                Err(_) => Way::Unknown,
            },
            ["false"] if self.denying.denies(1) => Way::Kept,
            ["false"] => Way::Lost(None),
            [program, ..] if certain(pipeline) == Some(true) || prints_words(program) => Way::Lost(None),
            _ => Way::Unknown,
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, mut state: State, outer: &mut State) {
        let commands = &pipeline.commands;
        if pipeline.is_negated {
            // In a condition, it is turned round.
            if state.success == Way::Kept && !self.denying.denies(1) {
                state.success = Way::Lost(self.cause(commands.first().and_then(|first| first.span.clone())));
            }
            state.status = Way::Lost(self.cause(commands.first().and_then(|first| first.span.clone())));
        }
        if let [command] = commands.as_slice() {
            let mut inner = state.clone();
            self.command(command, &mut inner);
            if !pipeline.is_background {
                outer.streams = inner.streams;
                outer.ends_on_failure = inner.ends_on_failure;
                outer.fails_in_pipes = inner.fails_in_pipes;
            }
            return;
        }
        // They run at the same time.
        let before = self.taken.clone();
        let mut after = before.clone();
        let streams = self.inputs(commands, &state).into_iter().zip(self.outputs(commands, &state));
        for ((at, command), (input, output)) in commands.iter().enumerate().zip(streams) {
            self.taken.clone_from(&before);
            let mut inner = state.clone();
            inner.ends_on_failure = false;
            if at > 0 {
                inner.streams.set(0, input);
            }
            if let Some(next) = commands.get(at.saturating_add(1)) {
                inner.streams.set(1, output);
                let is_kept = state.fails_in_pipes;
                let cause = next.span.as_ref().map(|next| next.start..next.end);
                inner.status = if is_kept { Way::Unknown } else { Way::Lost(self.cause(cause)) };
            }
            self.command(command, &mut inner);
            if after == Way::Kept {
                after.clone_from(&self.taken);
            }
        }
        self.taken = after;
    }

    /// The stream from which each command of a pipeline reads.
    fn inputs(&self, commands: &[Command], state: &State) -> Vec<Stream> {
        let mut input = state.streams.get(0);
        let step = |command: &Command| {
            let mut streams = state.streams.clone();
            streams.set(0, input.clone());
            self.redirect(&command.redirects, &mut streams);
            let next = match copies(command) {
                true => streams.get(0),
                false if says_nothing_new(command) => Stream::lost(self.cause(command.span.clone())),
                false => Stream::UNKNOWN,
            };
            std::mem::replace(&mut input, next)
        };
        commands.iter().map(step).collect()
    }

    /// The stream to which the output of each command of a pipeline goes.
    fn outputs(&self, commands: &[Command], state: &State) -> Vec<Stream> {
        let mut output = state.streams.get(1);
        let step = |command: &Command| {
            let mut streams = state.streams.clone();
            streams.set(0, Stream::UNKNOWN);
            streams.set(1, output.clone());
            self.redirect(&command.redirects, &mut streams);
            let before = match copies(command) {
                _ if streams.get(0) != Stream::UNKNOWN => Stream::lost(self.cause(command.span.clone())),
                true => streams.get(1),
                false if says_nothing_new(command) => Stream::lost(self.cause(command.span.clone())),
                false => Stream::UNKNOWN,
            };
            std::mem::replace(&mut output, before)
        };
        let mut outputs: Vec<Stream> = commands.iter().rev().map(step).collect();
        outputs.reverse();
        outputs
    }

    /// The functions that nothing calls.
    pub(super) fn uncalled(&mut self, state: &State) {
        let never: Vec<Function> =
            self.functions.iter().filter(|function| !function.is_called).cloned().collect();
        for function in never {
            let cause = self.cause(function.body.span.clone());
            self.command(&function.body, &mut State { runs: Way::Lost(cause), ..state.clone() });
        }
    }

    pub(super) fn fate(&self, state: &State) -> Fate {
        let stream = |number: u32| {
            let stream = state.streams.get(number);
            match stream.origin {
                Origin::Unknown => Way::Unknown,
                Origin::Line(origin) if origin == number => Way::Kept,
                _ => Way::Lost(stream.cause),
            }
        };
        let input = match stream(0) {
            Way::Kept => self.taken.clone(),
            other => other,
        };
        Fate {
            runs: state.runs.clone(),
            is_awaited: state.is_awaited.clone(),
            input,
            output: stream(1),
            status: state.status.clone(),
            success: state.success.clone(),
            is_alone: Way::Kept,
            limit: None,
        }
    }

    pub(super) fn redirect(&self, redirects: &[Redirect], streams: &mut Streams) {
        for redirect in redirects {
            streams.apply(redirect, self.text, |span| self.cause(Some(span)));
        }
    }

    /// Where something is in the line.
    pub(super) fn cause(&self, span: Cause) -> Cause {
        span.filter(|_| !self.is_inner)
    }
}
