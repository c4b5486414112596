//! What a line does with the streams and the exit status of some of its commands.
//!
//! Only what is certain is lost: a stream that goes through a program whose output is not known is unknown.

use std::ops::Range;
use std::time::Duration;

use hookc_base::builtins::is_builtin;
use hookc_schema::agents::DenyingExit;
use hookc_shell::argv::{ArgumentText, last_program};
use hookc_shell::programs::find;
use hookc_shell::programs::interpreters::is_shell;
use hookc_shell::syntax::{
    Command, CommandKind, Expansion, Joint, List, Pipeline, Redirect, Value, Word, parse,
};

use super::streams::{Origin, Stream, Streams};

/// Most commands that are followed: functions can call each other.
const COMMANDS: usize = 4096;

/// How deep lines, functions and substitutions are followed within one another.
const DEPTH: usize = 32;

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

/// What applies to a command from what is around it.
#[derive(Clone)]
struct State {
    streams: Streams,
    runs: Way,
    is_awaited: Way,
    status: Way,
    success: Way,
    /// Whether it may not run, or not alone.
    is_maybe: bool,
    /// `set -e`, `set -o pipefail`
    ends_on_failure: bool,
    fails_in_pipes: bool,
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
struct Function {
    name: String,
    body: Command,
    is_called: bool,
}

struct Walk<'t> {
    is_wanted: fn(&[&str]) -> bool,
    denying: DenyingExit,
    /// The text of the list.
    text: &'t str,
    /// Whether that is a word of the line.
    is_inner: bool,
    functions: Vec<Function>,
    /// Whether the input of the line is still there.
    taken: Way,
    /// Whether the line prints a text of its own.
    others: Way,
    commands: usize,
    depth: usize,
    found: Vec<Fate>,
}

impl Walk<'_> {
    fn list(&mut self, list: &List, state: &mut State) {
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
            if pipeline.is_background {
                let cause = self.cause(whole(pipeline).map(|span| span.end..self.text.len()));
                inner.is_awaited = Way::Lost(cause.clone());
                inner.status = Way::Lost(cause.clone());
                inner.streams.set(0, Stream::lost(cause));
            }
            self.pipeline(pipeline, inner, state);
            let is_certain = pipeline.joint == Joint::Next || value.is_some();
            if !is_skipped && is_certain && !pipeline.is_background && is_end(pipeline) && ended == Way::Kept
            {
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
        for (at, command) in commands.iter().enumerate() {
            self.taken.clone_from(&before);
            let mut inner = state.clone();
            inner.ends_on_failure = false;
            if at > 0 {
                inner.streams.set(0, self.fed(commands, at, &state));
            }
            if let Some(next) = commands.get(at.saturating_add(1)) {
                inner.streams.set(1, self.passed_on(commands, at, &state));
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

    /// The stream from which a command of a pipeline reads.
    fn fed(&self, commands: &[Command], at: usize, state: &State) -> Stream {
        let Some(before) = at.checked_sub(1).and_then(|before| commands.get(before)) else {
            return state.streams.get(0);
        };
        let mut streams = state.streams.clone();
        streams.set(0, self.fed(commands, at.saturating_sub(1), state));
        self.redirect(&before.redirects, &mut streams);
        match copies(before) {
            true => streams.get(0),
            false if says_nothing_new(before) => Stream::lost(self.cause(before.span.clone())),
            false => Stream::UNKNOWN,
        }
    }

    /// The stream to which the output of a command of a pipeline goes.
    fn passed_on(&self, commands: &[Command], at: usize, state: &State) -> Stream {
        let next = at.saturating_add(1);
        let Some(command) = commands.get(next) else { return state.streams.get(1) };
        let mut streams = state.streams.clone();
        streams.set(0, Stream::UNKNOWN);
        streams.set(1, self.passed_on(commands, next, state));
        self.redirect(&command.redirects, &mut streams);
        match copies(command) {
            _ if streams.get(0) != Stream::UNKNOWN => Stream::lost(self.cause(command.span.clone())),
            true => streams.get(1),
            false if says_nothing_new(command) => Stream::lost(self.cause(command.span.clone())),
            false => Stream::UNKNOWN,
        }
    }

    fn command(&mut self, command: &Command, state: &mut State) {
        self.commands += 1;
        if self.commands > COMMANDS {
            return;
        }
        let mut inner = state.clone();
        self.redirect(&command.redirects, &mut inner.streams);
        match &command.kind {
            CommandKind::Simple { assignments, words } => {
                let values = assignments.iter().flat_map(|assignment| match &assignment.value {
                    Value::Text(word) => std::slice::from_ref(word),
                    Value::Array(words) => words.as_slice(),
                    Value::Element { value, .. } => std::slice::from_ref(value),
                });
                let names: Vec<&str> = assignments.iter().map(|one| one.name.as_str()).collect();
                let output = match words.is_empty() {
                    true => self.variable(&names, command),
                    false => Stream::UNKNOWN,
                };
                for value in values {
                    let mut captured = inner.clone();
                    captured.streams.set(1, output.clone());
                    if !words.is_empty() {
                        captured.status = Way::Lost(self.cause(command.span.clone()));
                    }
                    self.substitutions(value, &captured);
                }
                self.simple(command, words, &inner, state);
            }
            CommandKind::Group(list) => {
                self.list(list, &mut inner);
                let streams = state.streams.clone();
                (state.ends_on_failure, state.fails_in_pipes) = (inner.ends_on_failure, inner.fails_in_pipes);
                state.streams = streams;
            }
            CommandKind::Subshell(list) => self.list(list, &mut inner),
            CommandKind::Coprocess(list) => {
                let lost = || Stream::lost(self.cause(command.span.clone()));
                (inner.is_awaited, inner.status) =
                    (Way::Unknown, Way::Lost(self.cause(command.span.clone())));
                let streams = [lost(), lost()];
                for (number, stream) in (0..).zip(streams) {
                    inner.streams.set(number, stream);
                }
                self.list(list, &mut inner);
            }
            CommandKind::If { branches, otherwise } => self.branches(command, branches, otherwise, &inner),
            CommandKind::While { condition, body } => {
                let mut tested = self.tested(command, &inner);
                self.list(condition, &mut tested);
                let mut repeated = State { is_maybe: true, status: Way::Unknown, ..inner.clone() };
                self.list(body, &mut repeated);
            }
            CommandKind::For { items, body, .. } => {
                let mut repeated = State { is_maybe: true, ..inner.clone() };
                if items.as_ref().is_some_and(Vec::is_empty) {
                    repeated.runs = Way::Lost(self.cause(command.span.clone()));
                }
                self.list(body, &mut repeated);
            }
            CommandKind::Count { body, .. } => {
                let mut repeated = State { is_maybe: true, ..inner.clone() };
                self.list(body, &mut repeated);
            }
            CommandKind::Case { arms, .. } => {
                for arm in arms {
                    let mut chosen = State { is_maybe: true, ..inner.clone() };
                    self.list(&arm.body, &mut chosen);
                }
            }
            CommandKind::Function { name, body } => {
                self.functions.retain(|known| known.name != name.text || known.is_called);
                let (name, body) = (name.text.clone(), Command::clone(body));
                self.functions.push(Function { name, body, is_called: false });
            }
            CommandKind::Test(words) => {
                let mut captured = inner.clone();
                captured.streams.set(1, Stream::lost(self.cause(command.span.clone())));
                captured.status = Way::Lost(self.cause(command.span.clone()));
                words.iter().for_each(|word| self.substitutions(word, &captured));
            }
            CommandKind::Empty => {}
        }
    }

    fn branches(&mut self, command: &Command, branches: &[(List, List)], otherwise: &List, state: &State) {
        let mut never: Option<Way> = None;
        for (condition, body) in branches {
            let mut tested = self.tested(command, state);
            if let Some(never) = &never {
                tested.runs = never.clone();
            }
            self.list(condition, &mut tested);
            let value = match condition.pipelines.as_slice() {
                [one] => certain(one),
                _ => None,
            };
            let mut chosen = State { is_maybe: state.is_maybe || value.is_none(), ..state.clone() };
            let cause = || self.cause(condition.pipelines.first().and_then(whole));
            match (value, &never) {
                (_, Some(never)) => chosen.runs = never.clone(),
                (Some(false), None) => chosen.runs = Way::Lost(cause()),
                (Some(true), None) => never = Some(Way::Lost(cause())),
                (None, None) => {}
            }
            self.list(body, &mut chosen);
        }
        let mut last = State { is_maybe: true, ..state.clone() };
        if let Some(never) = never {
            last.runs = never;
        }
        self.list(otherwise, &mut last);
    }

    /// A condition. Its status decides what runs; something after it may end the line with a status of its own.
    fn tested(&self, command: &Command, state: &State) -> State {
        let text = command.span.clone().and_then(|span| self.text.get(span)).unwrap_or_default();
        let ends = ["exit", "return", "false", "kill", "$?", "${?"].iter().any(|word| text.contains(word));
        let status = match ends {
            true => Way::Unknown,
            false => Way::Lost(self.cause(command.span.clone())),
        };
        State { status, success: Way::Unknown, ends_on_failure: false, ..state.clone() }
    }

    /// Where the output goes that an assignment keeps.
    fn variable(&self, names: &[&str], command: &Command) -> Stream {
        let after = command.span.as_ref().and_then(|span| self.text.get(span.end..));
        let Some(after) = after else { return Stream::UNKNOWN };
        let is_read = |name: &&str| {
            let found = after.match_indices(*name);
            found.into_iter().any(|(at, _)| after.get(..at).is_some_and(|text| text.ends_with(['$', '{'])))
        };
        match names.iter().any(is_read) {
            true => Stream::UNKNOWN,
            false => Stream::lost(self.cause(command.span.clone())),
        }
    }

    fn simple(&mut self, command: &Command, words: &[Word], inner: &State, state: &mut State) {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let Some(first) = texts.first().copied() else { return };
        match (first, texts.get(1..).unwrap_or_default()) {
            ("exec", []) => state.streams = inner.streams.clone(),
            ("set", options) => {
                let has = |letter: char, name: &str| {
                    let is_short = |word: &&str| {
                        word.strip_prefix('-')
                            .is_some_and(|flags| !flags.starts_with('-') && flags.contains(letter))
                    };
                    options.iter().any(|word| is_short(word) || *word == name)
                };
                state.ends_on_failure |= has('e', "errexit");
                state.fails_in_pipes |= has('\0', "pipefail");
            }
            ("trap", _) => state.status = Way::Unknown,
            _ => {}
        }
        let mut captured = inner.clone();
        (captured.status, captured.success) = (Way::Lost(self.cause(command.span.clone())), Way::Kept);
        captured.streams.set(
            1,
            match first {
                _ if prints_words(first) => inner.streams.get(1),
                "eval" | "." | "source" | "exec" | "command" => Stream::UNKNOWN,
                _ if is_builtin(first) || first == ":" => Stream::lost(self.cause(command.span.clone())),
                _ => Stream::UNKNOWN,
            },
        );
        words.iter().for_each(|word| self.substitutions(word, &captured));
        if let Some(function) = self.functions.iter_mut().rfind(|function| function.name == first) {
            function.is_called = true;
            let body = function.body.clone();
            if self.depth <= DEPTH {
                self.depth += 1;
                self.command(&body, &mut inner.clone());
                self.depth -= 1;
            }
            return;
        }
        self.program(&texts, inner);
        let is_certain = !inner.is_maybe && inner.runs == Way::Kept;
        if says_nothing_new(command)
            && texts.iter().skip(1).any(|text| !text.starts_with('-') && text.contains(char::is_alphanumeric))
            && inner.streams.get(1).origin == Origin::Line(1)
            && is_certain
        {
            self.others = Way::Lost(self.cause(command.span.clone()));
        }
        if copies(command) && inner.streams.get(0).origin == Origin::Line(0) && self.taken == Way::Kept {
            let cause = self.cause(command.span.clone());
            self.taken = if is_certain { Way::Lost(cause) } else { Way::Unknown };
        }
    }

    /// A program, after those that start it.
    fn program(&mut self, texts: &[&str], state: &State) {
        let arguments: Vec<ArgumentText<'_>> =
            texts.iter().map(|text| ArgumentText { text: (*text).into(), is_open: false }).collect();
        let mut start = last_program(&arguments);
        let inner = texts.get(start..).unwrap_or_default();
        if matches!(inner.first(), Some(&("exec" | "command" | "eval"))) && inner.len() > 1 {
            start += 1;
        }
        let (before, inner) = texts.split_at_checked(start).unwrap_or_default();
        if (self.is_wanted)(inner) {
            let mut fate = self.fate(state);
            fate.limit = limit(before);
            return self.found.push(fate);
        }
        let code = match inner {
            [first, ..]
                if texts.get(start.saturating_sub(1)) == Some(&"eval")
                    && start > 0
                    && first.contains(' ') =>
            {
                Some(*first)
            }
            [program, rest @ ..] if is_shell(base(program)) => code(rest),
            _ => None,
        };
        if let Some(code) = code {
            self.inner(code, inner, state);
        }
    }

    /// A line in a word.
    fn inner(&mut self, code: &str, words: &[&str], state: &State) {
        let Ok(list) = parse(code) else { return };
        let mut walk = Walk {
            text: code,
            is_inner: true,
            functions: Vec::new(),
            found: Vec::new(),
            taken: self.taken.clone(),
            others: self.others.clone(),
            is_wanted: self.is_wanted,
            denying: self.denying,
            commands: self.commands,
            depth: self.depth,
        };
        let flags = |letter: char| {
            let options = words.iter().skip(1).take_while(|word| **word != code);
            options.into_iter().any(|word| word.starts_with('-') && word.contains(letter))
        };
        let mut state = State {
            ends_on_failure: flags('e'),
            fails_in_pipes: words.contains(&"pipefail"),
            ..state.clone()
        };
        walk.list(&list, &mut state);
        walk.uncalled(&state);
        self.commands = walk.commands;
        (self.taken, self.others) = (walk.taken, walk.others);
        self.found.append(&mut walk.found);
    }

    /// The commands in the substitutions of a word.
    fn substitutions(&mut self, word: &Word, state: &State) {
        for part in &word.parts {
            let hookc_shell::syntax::PartKind::Expansion(expansion) = &part.kind else { continue };
            let mut inner = state.clone();
            match &**expansion {
                Expansion::Output(list) => self.list(list, &mut inner),
                Expansion::Input(list) => {
                    inner.streams.set(1, Stream::UNKNOWN);
                    inner.status = Way::Lost(self.cause(word.span.clone()));
                    self.list(list, &mut inner);
                }
                Expansion::Sink(list) => {
                    inner.streams.set(0, Stream::UNKNOWN);
                    inner.streams.set(1, Stream::UNKNOWN);
                    (inner.is_awaited, inner.status) =
                        (Way::Unknown, Way::Lost(self.cause(word.span.clone())));
                    self.list(list, &mut inner);
                }
                Expansion::Parameter { words, .. } | Expansion::Array(words) => {
                    inner.streams.set(1, Stream::UNKNOWN);
                    words.iter().for_each(|word| self.substitutions(word, &inner));
                }
                Expansion::Arithmetic(word) => {
                    inner.streams.set(1, Stream::UNKNOWN);
                    self.substitutions(word, &inner);
                }
            }
        }
    }

    /// The functions that nothing calls.
    fn uncalled(&mut self, state: &State) {
        let never: Vec<Function> =
            self.functions.iter().filter(|function| !function.is_called).cloned().collect();
        for function in never {
            let cause = self.cause(function.body.span.clone());
            self.command(&function.body, &mut State { runs: Way::Lost(cause), ..state.clone() });
        }
    }

    fn fate(&self, state: &State) -> Fate {
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

    fn redirect(&self, redirects: &[Redirect], streams: &mut Streams) {
        for redirect in redirects {
            streams.apply(redirect, self.text, |span| self.cause(Some(span)));
        }
    }

    /// Where something is in the line.
    fn cause(&self, span: Cause) -> Cause {
        span.filter(|_| !self.is_inner)
    }
}

/// The range of a pipeline.
fn whole(pipeline: &Pipeline) -> Option<Range<usize>> {
    let (first, last) = (pipeline.commands.first()?, pipeline.commands.last()?);
    Some(first.span.as_ref()?.start..last.span.as_ref()?.end)
}

/// The words of a pipeline of one program.
fn words(pipeline: &Pipeline) -> Option<Vec<&str>> {
    match pipeline.commands.as_slice() {
        [Command { kind: CommandKind::Simple { words, .. }, .. }] if !pipeline.is_negated => {
            Some(words.iter().map(|word| word.text.as_str()).collect())
        }
        _ => None,
    }
}

/// Whether a pipeline certainly succeeds, or certainly fails.
fn certain(pipeline: &Pipeline) -> Option<bool> {
    match words(pipeline)?.first().copied()? {
        "true" | ":" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Whether nothing runs after a pipeline.
fn is_end(pipeline: &Pipeline) -> bool {
    let words = words(pipeline).unwrap_or_default();
    matches!(words.as_slice(), ["exit", ..] | ["exec", _, ..])
}

fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

fn prints(program: &str) -> Option<&'static str> {
    find(base(program)).and_then(|row| row.text("prints"))
}

fn prints_words(program: &str) -> bool {
    prints(program) == Some("words")
}

/// Whether a command prints its input: `cat`, `tee FILE`.
fn copies(command: &Command) -> bool {
    let CommandKind::Simple { words, .. } = &command.kind else { return false };
    let Some((first, rest)) = words.split_first() else { return false };
    let reads_files = find(base(&first.text))
        .and_then(|row| row.text("operands"))
        .is_some_and(|operands| !operands.starts_with("WRITE"));
    let is_input = |word: &Word| word.text.starts_with('-') && word.parts.is_empty();
    prints(&first.text) == Some("input") && (!reads_files || rest.iter().all(is_input))
}

/// Whether a command prints nothing, or a text that is written in the line.
fn says_nothing_new(command: &Command) -> bool {
    let CommandKind::Simple { words, .. } = &command.kind else { return false };
    let Some((first, rest)) = words.split_first() else { return false };
    let is_fixed = rest.iter().all(|word| word.parts.is_empty());
    matches!(first.text.as_str(), "true" | ":" | "false") || prints_words(&first.text) && is_fixed
}

/// The code that a shell gets: the word after `-c`.
fn code<'w>(words: &[&'w str]) -> Option<&'w str> {
    let is_code = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    words.iter().position(is_code).and_then(|at| words.get(at.saturating_add(1))).copied()
}

/// The time after which `timeout` ends a command.
fn limit(before: &[&str]) -> Option<Duration> {
    let at = before.iter().position(|word| matches!(base(word), "timeout" | "gtimeout"))?;
    let number = before
        .get(at.saturating_add(1)..)?
        .iter()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '.'))?;
    let unit = match number.chars().last()? {
        'm' => 60.0,
        'h' => 3600.0,
        'd' => 86400.0,
        _ => 1.0,
    };
    let seconds: f64 = number.trim_end_matches(['s', 'm', 'h', 'd']).parse().ok()?;
    // `timeout 0` waits as long as it takes.
    Duration::try_from_secs_f64(seconds * unit).ok().filter(|limit| !limit.is_zero())
}
