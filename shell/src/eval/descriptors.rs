//! The descriptors that are open where a command starts: what reading from each of them gives, and which redirection
//! opened it.
//!
//! Redirections of commands and groups end with these; those of `exec` are a part of the state. Of both, the later one
//! of a descriptor is in effect.

use super::super::token::{Range, Token, Words, long, short};
use super::super::tree::NAMED;
use super::interpreters::Source;
use super::state::State;
use super::{Done, Input, Seen, Target, Walk};

/// The number of an input about which nothing is known.
pub(super) const UNKNOWN: u32 = 1;
/// The number of an input without content.
const CLOSED: u32 = 2;
/// The others after two ways that opened different ones: none of them is known.
const DIFFERENT: u32 = u32::MAX;

/// What `>&` or `<&` copies.
enum Copied {
    Number(u32),
    /// The descriptor is closed: `>&-`.
    Closed,
}

/// An open descriptor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opened {
    /// The number of its input.
    input: u32,
    /// The redirection that opened it: its number in [`Walk::targets`], from 1 on; 0 for a pipe.
    target: u32,
    /// A later one replaces an earlier one; 0 if nothing has opened it.
    order: u32,
}

impl Opened {
    const fn later(self, other: Self) -> Self {
        if self.order > other.order { self } else { other }
    }

    /// After two ways.
    fn merged(self, other: Self) -> Self {
        let input = match (self.order, other.order) {
            (_, 0) => self.input,
            (0, _) => other.input,
            _ if self.input == other.input => self.input,
            _ => UNKNOWN,
        };
        Self { input, ..self.later(other) }
    }
}

/// The descriptors that redirections have opened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Descriptors {
    /// Those of the input, the output and the errors.
    standard: [Opened; 3],
    /// The last one of the others: a number of [`Walk::others`].
    others: u32,
}

/// A descriptor after those of the errors: its number, and the one before it.
pub(super) type Other = (u32, Opened, u32);

/// The first elements of the lists of a walk.
pub(super) const INPUTS: [Input; 3] = {
    let none = Input { from: (0, 0), outer: 0, text: None, file: None };
    [none, none, Input { text: Some(Token::EMPTY), ..none }]
};

impl Walk {
    fn descriptors(&self, number: u32) -> Descriptors {
        self.descriptors.get(long(number)).copied().unwrap_or_default()
    }

    /// An open descriptor.
    fn opened(&mut self, fd: u32) -> Opened {
        let (scope, exec) = (self.descriptors(self.frame.scope), self.descriptors(self.state.exec));
        match (scope.standard.get(long(fd)), exec.standard.get(long(fd))) {
            (Some(scope), Some(exec)) => scope.later(*exec),
            _ => self.other(fd, scope.others).later(self.other(fd, exec.others)),
        }
    }

    fn other(&mut self, fd: u32, mut next: u32) -> Opened {
        while let Some((number, opened, before)) = self.others.get(long(next)).filter(|_| next > 0) {
            self.steps += 1;
            if *number == fd {
                return *opened;
            }
            next = *before;
        }
        Opened::default()
    }

    /// The number of the input of the current command.
    pub(super) fn input(&self) -> u32 {
        let input = |number: u32| self.descriptors(number).standard.first().copied().unwrap_or_default();
        input(self.frame.scope).later(input(self.state.exec)).input
    }

    /// The number of the input that reading from a descriptor gives.
    pub(super) fn input_of(&mut self, fd: u32) -> u32 {
        let opened = self.opened(fd);
        if opened.order == 0 && fd > 0 { UNKNOWN } else { opened.input }
    }

    /// The number of the input that reading from a descriptor gives, and the redirection that opened it.
    pub(super) fn read_from(&mut self, fd: u32) -> (u32, Option<u32>) {
        (self.input_of(fd), self.opened(fd).target.checked_sub(1))
    }

    pub(super) fn add_input(&mut self, input: Input) -> u32 {
        self.inputs.push(input);
        short(self.inputs.len() - 1)
    }

    /// Opens descriptors: until the end of the command, or for the commands after it.
    fn open(&mut self, fds: &[u32], opened: Opened, persists: bool) {
        let number = if persists { self.state.exec } else { self.frame.scope };
        let mut new = self.descriptors(number);
        let order = short(self.descriptors.len());
        for fd in fds {
            let opened = Opened { order, ..opened };
            match new.standard.get_mut(long(*fd)) {
                Some(current) => *current = opened,
                None if *fd == NAMED => {}
                None => {
                    let before = if new.others == DIFFERENT { 0 } else { new.others };
                    self.others.push((*fd, opened, before));
                    new.others = short(self.others.len() - 1);
                }
            }
        }
        self.descriptors.push(new);
        if persists {
            self.state.exec = order;
        } else {
            self.frame.scope = order;
        }
    }

    /// Makes a pipe or a text the input, until the scope is restored.
    pub(super) fn open_input(&mut self, input: u32) {
        self.open(&[0], Opened { input, ..Opened::default() }, false);
    }

    /// Makes a pipe the output, until the scope is restored.
    pub(super) fn open_output(&mut self) {
        if self.frame.scope > 0 || self.state.exec > 0 {
            self.open(&[1], Opened { input: UNKNOWN, ..Opened::default() }, false);
        }
    }

    /// Runs `inner` with an input of its own.
    pub(super) fn with_input<T>(&mut self, input: u32, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.framed(|walk| {
            walk.open_input(input);
            inner(walk)
        })
    }

    /// Runs `inner`, which a program starts that writes its input and reads its output.
    pub(super) fn fed(&mut self, at: Option<usize>, inner: impl FnOnce(&mut Self) -> Done<()>) -> Done<()> {
        let from = at.map(|at| (short(at), short(at + 1))).unwrap_or_default();
        let input = self.add_input(Input { from, ..Input::default() });
        self.with_input(input, |walk| {
            walk.open_output();
            inner(walk)
        })
    }

    /// Opens what redirections open, in their order.
    pub(super) fn open_targets(&mut self, redirects: Range, persists: bool) {
        for at in redirects.0..redirects.1 {
            let Some(target) = self.targets.get(long(at)).copied() else { break };
            let opened = self.opened_by(&target, at + 1);
            let is_both = target.op.starts_with('&')
                || target.op == ">&" && target.fd == 1 && self.copied(target.word).is_none();
            if is_both {
                self.open(&[1, 2], opened, persists);
            } else {
                self.open(&[target.fd], opened, persists);
            }
        }
    }

    /// What a redirection opens.
    fn opened_by(&mut self, target: &Target, number: u32) -> Opened {
        let new = Opened { target: number, ..Opened::default() };
        if let Some(text) = target.body.or((target.op == "<<<").then_some(target.word)) {
            let input = self.add_input(Input { text: Some(text), ..Input::default() });
            return Opened { input, ..new };
        }
        if matches!(target.op, "<&" | ">&") {
            return match self.copied(target.word) {
                Some(Copied::Number(fd)) => Opened { input: self.input_of(fd), ..self.opened(fd) },
                Some(Copied::Closed) => Opened { input: CLOSED, ..Opened::default() },
                None => Opened { input: UNKNOWN, ..new },
            };
        }
        // A socket or a device can be read although it is opened for writing.
        if !target.op.starts_with('<') || is_network(self.arena.text(target.word)) {
            return Opened { input: UNKNOWN, ..new };
        }
        if let Some(from) = self.origins_of(target.word).first() {
            let input = self.add_input(Input { from: *from, ..Input::default() });
            return Opened { input, ..new };
        }
        match self.source_of(target.word) {
            Source::Descriptor(Some(fd)) => Opened { input: self.input_of(fd), ..self.opened(fd) },
            Source::Descriptor(None) => Opened { input: UNKNOWN, ..new },
            Source::File => {
                let file = Some(self.named(target.word));
                let input = self.add_input(Input { file, ..Input::default() });
                Opened { input, ..new }
            }
        }
    }

    /// What the word after `>&` or `<&` is, if it is no name of a file.
    fn copied(&self, word: Token) -> Option<Copied> {
        let text = self.arena.text(word);
        let text = text.strip_suffix('-').unwrap_or(text);
        if !self.arena.is_known(word) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(match text {
            "" => Copied::Closed,
            number => Copied::Number(number.parse().unwrap_or(NAMED)),
        })
    }

    /// The descriptors of `exec` after two ways; whether the current ones have changed.
    pub(super) fn merge_descriptors(&mut self, other: &State) -> bool {
        let (ours, theirs) = (self.state.exec, other.exec);
        if ours == theirs {
            return false;
        }
        let (ours, theirs) = (self.descriptors(ours), self.descriptors(theirs));
        let mut new = ours;
        for (ours, theirs) in new.standard.iter_mut().zip(theirs.standard) {
            *ours = ours.merged(theirs);
        }
        new.others = match (ours.others, theirs.others) {
            (ours, theirs) if ours == theirs => ours,
            (ours, 0) => ours,
            (0, theirs) => theirs,
            _ => DIFFERENT,
        };
        let is_other = |(ours, new): (&Opened, &Opened)| {
            ours.input != new.input || (ours.order == 0) != (new.order == 0)
        };
        let changed = new.others != ours.others || ours.standard.iter().zip(&new.standard).any(is_other);
        self.descriptors.push(new);
        self.state.exec = short(self.descriptors.len() - 1);
        changed
    }

    /// The redirections around a command that are in effect for its input, its output and its errors.
    pub(in super::super) fn inherited(&self, seen: &Seen) -> impl Iterator<Item = &Target> {
        let (scope, exec) = (self.descriptors(seen.scope), self.descriptors(seen.exec));
        let mut last = 0;
        scope.standard.into_iter().zip(exec.standard).filter_map(move |(scope, exec)| {
            let number = scope.later(exec).target;
            let before = number.checked_sub(1)?;
            let is_own = (seen.redirects.0..seen.redirects.1).contains(&before);
            let is_new = std::mem::replace(&mut last, number) != number;
            if is_own || !is_new { None } else { self.targets.get(long(before)) }
        })
    }

    /// The redirection in effect for the input, the output or the errors of a command, its own ones included.
    pub(in super::super) fn stream(&self, seen: &Seen, descriptor: usize) -> Option<&Target> {
        let opened =
            |number: u32| self.descriptors(number).standard.get(descriptor).copied().unwrap_or_default();
        let target = opened(seen.scope).later(opened(seen.exec)).target;
        self.targets.get(long(target.checked_sub(1)?))
    }

    /// Whether this is `exec` without a program, whose redirections are for the commands after it.
    pub(super) fn is_exec_alone(&self, words: Words) -> bool {
        if !self.is_named(words, &["exec", "command", "builtin"]) {
            return false;
        }
        let mut words = self.arena.words(words).iter().map(|word| self.arena.text(*word)).peekable();
        while words.next_if(|word| matches!(*word, "command" | "builtin")).is_some() {
            while words.next_if(|word| word.starts_with('-')).is_some() {}
        }
        if words.next() != Some("exec") {
            return false;
        }
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            if option.ends_with('a') {
                words.next();
            }
        }
        words.next().is_none()
    }
}

/// Whether bash opens a connection instead of this file.
fn is_network(path: &str) -> bool {
    path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/")
}
