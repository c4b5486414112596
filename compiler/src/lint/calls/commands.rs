//! What a command does with its streams and its status, and with those of the commands in it.

use std::time::Duration;

use hookc_base::builtins::is_builtin;
use hookc_shell::argv::{ArgumentText, last_program};
use hookc_shell::programs::find;
use hookc_shell::programs::interpreters::is_shell;
use hookc_shell::syntax::{
    Arm, Assignment, Command, CommandKind, Expansion, List, Part, PartKind, Value, Word, parse,
};

use super::streams::{Origin, Stream};
use super::walk::{COMMANDS, DEPTH, Function, State, Walk, Way};
use super::words::{base, certain, copies, prints_words, says_nothing_new, whole};

impl Walk<'_> {
    pub(super) fn command(&mut self, command: &Command, state: &mut State) {
        self.commands += 1;
        if self.commands > COMMANDS {
            return;
        }
        let mut inner = state.clone();
        self.redirect(&command.redirects, &mut inner.streams);
        let cause = self.cause(command.span.clone());
        match &command.kind {
            CommandKind::Simple { assignments, words } => {
                self.assignments(command, assignments, words.is_empty(), &inner);
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
                (inner.is_awaited, inner.status) = (Way::Unknown, Way::Lost(cause.clone()));
                inner.streams.set(0, Stream::lost(cause.clone()));
                inner.streams.set(1, Stream::lost(cause));
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
                    repeated.runs = Way::Lost(cause);
                }
                self.list(body, &mut repeated);
            }
            CommandKind::Count { body, .. } => {
                let mut repeated = State { is_maybe: true, ..inner.clone() };
                self.list(body, &mut repeated);
            }
            CommandKind::Case { word, arms } => self.arms(word, arms, &inner),
            CommandKind::Function { name, body } => {
                self.functions.retain(|known| known.name != name.text || known.is_called);
                let (name, body) = (name.text.clone(), Command::clone(body));
                self.functions.push(Function { name, body, is_called: false });
            }
            CommandKind::Test(words) => {
                let mut captured = inner.clone();
                captured.streams.set(1, Stream::lost(cause.clone()));
                captured.status = Way::Lost(cause);
                words.iter().for_each(|word| self.substitutions(word, &captured));
            }
            CommandKind::Empty => {}
        }
    }

    /// What assignments run. `is_alone` is whether no program follows them.
    fn assignments(&mut self, command: &Command, assignments: &[Assignment], is_alone: bool, state: &State) {
        let values = assignments.iter().flat_map(|assignment| match &assignment.value {
            Value::Text(word) => std::slice::from_ref(word),
            Value::Array(words) => words.as_slice(),
            Value::Element { value, .. } => std::slice::from_ref(value),
        });
        let names: Vec<&str> = assignments.iter().map(|one| one.name.as_str()).collect();
        let output = if is_alone { self.variable(&names, command) } else { Stream::UNKNOWN };
        for value in values {
            let mut captured = state.clone();
            captured.streams.set(1, output.clone());
            if !is_alone {
                captured.status = Way::Lost(self.cause(command.span.clone()));
            }
            self.substitutions(value, &captured);
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

    /// The arms of a `case`: a word without expansions decides which one runs.
    fn arms(&mut self, word: &Word, arms: &[Arm], state: &State) {
        let (mut is_chosen, mut is_certain) = (false, true);
        let mut continues = false;
        for arm in arms {
            let value = if continues { None } else { matches(word, &arm.patterns) };
            let mut chosen =
                State { is_maybe: state.is_maybe || value != Some(true) || !is_certain, ..state.clone() };
            if is_chosen || value == Some(false) {
                chosen.runs = Way::Lost(self.cause(word.span.clone()));
            }
            self.list(&arm.body, &mut chosen);
            continues = arm.continues;
            is_certain &= value.is_some();
            is_chosen |= value == Some(true) && is_certain && !continues;
        }
    }

    /// What `trap` runs at the end of the line, or at a signal.
    fn trap(&mut self, words: &[Word], command: &Command, state: &State) {
        let [code, signals @ ..] = words else { return };
        if signals.is_empty() || !code.parts.is_empty() || code.text.starts_with('-') {
            return;
        }
        let is_end = |signal: &Word| matches!(signal.text.as_str(), "EXIT" | "exit" | "0");
        let is_step = |signal: &Word| {
            let name = signal.text.to_ascii_uppercase();
            matches!(name.as_str(), "ERR" | "DEBUG" | "RETURN") || !signal.parts.is_empty()
        };
        let cause = || self.cause(command.span.clone());
        let mut inner = State { success: Way::Unknown, is_maybe: true, ..state.clone() };
        inner.status = if signals.iter().any(is_end) { Way::Lost(cause()) } else { Way::Unknown };
        if !signals.iter().any(|signal| is_end(signal) || is_step(signal)) {
            inner.runs = Way::Lost(cause());
        }
        self.inner(&code.text, &[], &inner);
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
                let flags =
                    |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('e');
                state.ends_on_failure |= options.iter().any(|word| flags(word) || *word == "errexit");
                state.fails_in_pipes |= options.contains(&"pipefail");
            }
            ("trap", _) => {
                state.status = Way::Unknown;
                self.trap(words.get(1..).unwrap_or_default(), command, inner);
            }
            _ => {}
        }
        let cause = self.cause(command.span.clone());
        let mut captured = inner.clone();
        (captured.status, captured.success) = (Way::Lost(cause.clone()), Way::Kept);
        let output = match first {
            _ if prints_words(first) => inner.streams.get(1),
            "eval" | "." | "source" | "exec" | "command" => Stream::UNKNOWN,
            _ if is_builtin(first) || first == ":" => Stream::lost(cause.clone()),
            _ => Stream::UNKNOWN,
        };
        captured.streams.set(1, output);
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
            self.others = Way::Lost(cause.clone());
        }
        // Agents send the event as one line.
        let reads_line = first == "read" && !texts.iter().any(|text| text.starts_with("-u"));
        if (copies(command) || reads_line)
            && inner.streams.get(0).origin == Origin::Line(0)
            && self.taken == Way::Kept
        {
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
            if takes_input(before) {
                fate.input = Way::Lost(None);
            }
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
            let PartKind::Expansion(expansion) = &part.kind else { continue };
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
}

/// The code that a shell gets: the word after `-c`.
fn code<'w>(words: &[&'w str]) -> Option<&'w str> {
    let is_code = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    words.iter().position(is_code).and_then(|at| words.get(at.saturating_add(1))).copied()
}

/// Whether a word that has no expansions matches one of the patterns; `None` if that is not known.
fn matches(word: &Word, patterns: &[Word]) -> Option<bool> {
    let is_any = |pattern: &Word| {
        let is_pattern = |part: &Part| matches!(part.kind, PartKind::Pattern);
        pattern.text == "*" && pattern.parts.iter().all(is_pattern) && !pattern.parts.is_empty()
    };
    if patterns.iter().any(is_any) {
        return Some(true);
    }
    let is_known = word.parts.iter().all(|part| matches!(part.kind, PartKind::Pattern));
    if !is_known || patterns.iter().any(|pattern| !pattern.parts.is_empty()) {
        return None;
    }
    Some(patterns.iter().any(|pattern| pattern.text == word.text))
}

/// Whether a program in front of a call reads the input in its place.
fn takes_input(before: &[&str]) -> bool {
    before.iter().enumerate().any(|(at, word)| {
        let Some(unless) = find(base(word)).and_then(|row| row.text("takes_input")) else { return false };
        let options = before.get(at.saturating_add(1)..).unwrap_or_default();
        !options.iter().any(|option| unless.split('/').any(|name| option.starts_with(name)))
    })
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
