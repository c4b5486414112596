//! Memory that the next line uses again.

use std::cell::Cell;

use super::super::Problem;
use super::super::opaque::OpaqueParts;
use super::super::programs::Programs;
use super::super::token::Token;
use super::arguments::Arguments;
use super::descriptors::{Descriptors, INPUTS, Other};
use super::frame::Frame;
use super::state::State;
use super::{Pipe, Target, Via, Walk};
use crate::paths;

/// The largest memory that is kept, in elements of its largest part.
const LARGEST: usize = 1 << 18;

/// Lists for short use.
#[derive(Default)]
pub(super) struct Spare {
    texts: Vec<String>,
    #[allow(clippy::vec_box, reason = "a call is large, and moves for each command")]
    pub(super) calls: Vec<Box<Arguments>>,
    pub(super) targets: Vec<Target>,
    pub(super) stages: Vec<usize>,
}

thread_local! {
    /// The last walk of this thread, unless one is going on.
    static WALK: Cell<Option<Box<Walk>>> = const { Cell::new(None) };
}

/// Forgets what is in lists, and keeps their memory.
macro_rules! clear {
    ($($list:ident),*) => { $($list.clear();)* };
}

impl Walk {
    /// Runs `inner` with a walk for words of this size.
    pub(in super::super) fn with<T>(
        size: usize,
        cwd: Option<&str>,
        programs: &Programs,
        inner: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut walk = Self::take();
        let dir = walk.first_directory(cwd);
        walk.start(size, dir, programs);
        let done = inner(&mut walk);
        walk.keep();
        done
    }

    /// Calls `look` with the walk over a line, and with what is wrong with the line. If it `may_be_kept`, that of the same
    /// line is used once more: the effects of a line are asked for after its view.
    pub(in super::super) fn with_line<T>(
        line: &str,
        cwd: Option<&str>,
        programs: &Programs,
        may_be_kept: bool,
        look: impl FnOnce(&Self, Result<(), Problem>) -> T,
    ) -> T {
        let mut walk = Self::take();
        let dir = walk.first_directory(cwd);
        let is_kept = may_be_kept
            && walk.is_whole
            && walk.text == line
            && walk.dirs.first() == Some(&dir)
            && walk.programs.is_same(programs);
        let read = if is_kept {
            walk.reuse(dir);
            Ok(())
        } else {
            walk.start(line.len(), dir, programs);
            let read = walk.line(line);
            walk.is_whole = read.is_ok();
            walk.text.push_str(line);
            read
        };
        let done = look(&walk, read);
        walk.is_whole &= !may_be_kept;
        walk.keep();
        done
    }

    fn take() -> Box<Self> {
        WALK.try_with(Cell::take).ok().flatten().unwrap_or_default()
    }

    /// Keeps it for the next line, unless it is large.
    fn keep(self: Box<Self>) {
        let sizes = [self.arena.capacity(), self.flags.capacity(), self.operands.capacity()];
        if sizes.into_iter().all(|size| size <= LARGEST) {
            // The thread ends: nothing reads another line.
            let _ = WALK.try_with(|kept| kept.set(Some(self)));
        }
    }

    /// The directory in which a line runs; empty if it is unknown.
    fn first_directory(&mut self, cwd: Option<&str>) -> String {
        let mut dir = self.spare_text();
        let is_dir = cwd.is_some_and(|cwd| paths::resolve("", cwd, &mut dir).is_some());
        if !is_dir || !dir.starts_with(['/', '~']) {
            dir.clear();
        }
        dir
    }

    fn start(&mut self, size: usize, dir: String, programs: &Programs) {
        self.clear();
        self.arena.reserve(size);
        self.commands.reserve(size / 24 + 2);
        self.vias.push(Via::default());
        self.pipes.push(Pipe::default());
        self.inputs.extend(INPUTS);
        self.descriptors.push(Descriptors::default());
        self.others.push(Other::default());
        self.dirs.push(dir);
        self.unrolled = 1;
        self.frame.is_bash = true;
        self.programs.clone_from(programs);
    }

    /// Forgets the line, and keeps the memory of the lists.
    fn clear(&mut self) {
        while let Some(dir) = self.dirs.pop() {
            self.reuse(dir);
        }
        // A new list is an error here until this clears it.
        let Self {
            arena,
            commands,
            vias,
            pipes,
            flags,
            operands,
            settings,
            exports,
            targets,
            origins,
            dirs: _,
            sets,
            flows,
            taken,
            inputs,
            descriptors,
            others,
            sinks,
            breaks,
            returns,
            locals,
            has_keys,
            functions,
            active,
            spare: _,
            opaque,
            loose,
            programs,
            state,
            steps,
            depth,
            unrolled,
            frame,
            pipe,
            output,
            traps,
            unstable_args,
            written,
            ran,
            repeats,
            lasting,
            lost,
            text,
            is_whole,
        } = self;
        clear!(
            arena, commands, vias, pipes, flags, operands, settings, exports, targets, origins, sets, flows,
            taken
        );
        clear!(
            inputs,
            descriptors,
            others,
            sinks,
            breaks,
            returns,
            locals,
            functions,
            active,
            traps,
            written,
            ran,
            text
        );
        *programs = Programs::SHIPPED;
        *is_whole = false;
        (*repeats, *lasting, *lost, *has_keys) = (0, 0, 0, false);
        (*opaque, *loose, *state) = (OpaqueParts::default(), false, State::default());
        (*steps, *depth, *unrolled) = (0, 0, 1);
        (*frame, *pipe) = (Frame::default(), 0);
        (*output, *unstable_args) = (None, false);
    }

    pub(super) fn spare_text(&mut self) -> String {
        let mut text = self.spare.texts.pop().unwrap_or_default();
        text.clear();
        text
    }

    /// A copy of a word's text that outlives changes of the arena.
    pub(super) fn copy_text(&mut self, token: Token) -> String {
        let mut text = self.spare_text();
        text.push_str(self.arena.text(token));
        text
    }

    /// Gives the memory of a text back.
    pub(super) fn reuse(&mut self, text: String) {
        if text.capacity() <= 4096 && self.spare.texts.len() < 16 {
            self.spare.texts.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::typed::with_kept_commands;
    use super::super::super::{Context, Wrapper, view};
    use super::*;

    /// The directory and the names of the commands of a line.
    fn seen(line: &str, cwd: Option<&str>, programs: &Programs) -> Result<String, Problem> {
        with_kept_commands(line, &Context { cwd, programs }, |commands| {
            let names: Vec<_> = commands.iter().map(|command| command.name().unwrap_or("?")).collect();
            let cwd = commands.get(0).and_then(|command| command.cwd().path().map(str::to_owned));
            format!("{}: {}", cwd.unwrap_or_default(), names.join(" "))
        })
    }

    #[test]
    fn a_line_is_kept_for_its_directory_and_programs() {
        let shipped = Programs::SHIPPED;
        let wrapper = Wrapper::new("held");
        let described = Programs::new(vec![wrapper], Vec::new()).unwrap();
        let line = "cd x && held rm y";
        for _ in 0..2 {
            for (cwd, programs, expected) in [
                (Some("/a"), &shipped, "/a: cd held"),
                (Some("/a"), &described, "/a: cd held rm"),
                (Some("/b"), &described, "/b: cd held rm"),
                (None, &described, ": cd held rm"),
                (Some("b"), &described, ": cd held rm"),
            ] {
                assert_eq!(seen(line, cwd, programs).unwrap(), expected);
                let first = view(line, cwd, programs);
                assert_eq!(seen(line, cwd, programs).unwrap(), expected);
                assert_eq!(view(line, cwd, programs), first);
            }
            assert_eq!(seen("echo 'x", None, &shipped), seen("echo 'x", None, &shipped));
            assert!(seen("echo 'x", None, &shipped).is_err());
            assert_eq!(seen("", None, &shipped).unwrap(), ": ");
        }
    }
}
