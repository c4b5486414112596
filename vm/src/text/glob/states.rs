//! Any glob, decided by walking the set of all states along the text: every
//! character of the text visits every state at most once, so that no pattern
//! takes more time than the product of both lengths.

use super::GlobError;
use super::token::{Class, Token};
use crate::text::fold::fold_char;

/// An instruction. The first four take a character; the loops may stay.
#[derive(Clone, Copy, Debug)]
enum Inst<'p> {
    Char(char),
    One,
    Class(Class<'p>),
    /// `*`, `**`, `**/`: stay, or go on behind.
    Star,
    Deep,
    Folders,
    /// Go on behind, and at this instruction too.
    Fork(usize),
    /// Go on at this instruction.
    Jump(usize),
}

/// Whether the text matches; an invalid pattern matches nothing.
pub(super) fn matches(pattern: &str, text: &str, fold: bool) -> bool {
    compile(pattern, fold).is_ok_and(|program| Set::new(&program, fold).walk(text))
}

/// Braces that are open: the last fork, and the jumps to their end.
struct Open {
    fork: usize,
    jumps: Vec<usize>,
}

fn compile(pattern: &str, fold: bool) -> Result<Vec<Inst<'_>>, GlobError> {
    let mut program = Vec::with_capacity(pattern.len());
    let mut open = Vec::<Open>::new();
    super::each_token(pattern, |token| match token {
        Token::Open => {
            open.push(Open { fork: program.len(), jumps: Vec::new() });
            program.push(Inst::Fork(0));
        }
        Token::Comma => {
            let Some(braces) = open.last_mut() else { return };
            braces.jumps.push(program.len());
            program.push(Inst::Jump(0));
            aim(&mut program, braces.fork, Inst::Fork);
            braces.fork = program.len();
            program.push(Inst::Fork(0));
        }
        Token::Close => {
            let Some(braces) = open.pop() else { return };
            // The last alternative's fork has no second way: it goes on behind itself.
            let behind = braces.fork.saturating_add(1);
            if let Some(inst) = program.get_mut(braces.fork) {
                *inst = Inst::Jump(behind);
            }
            braces.jumps.iter().for_each(|jump| aim(&mut program, *jump, Inst::Jump));
        }
        Token::Char(c) => program.push(Inst::Char(if fold { fold_char(c) } else { c })),
        Token::One => program.push(Inst::One),
        Token::Class(class) => program.push(Inst::Class(class)),
        Token::Star => program.push(Inst::Star),
        Token::Deep => program.push(Inst::Deep),
        Token::Folders => program.push(Inst::Folders),
    })?;
    Ok(program)
}

/// Lets the instruction at `at` lead to the end of the program so far.
fn aim<'p>(program: &mut [Inst<'p>], at: usize, make: fn(usize) -> Inst<'p>) {
    let end = program.len();
    if let Some(inst) = program.get_mut(at) {
        *inst = make(end);
    }
}

/// The states that the text so far leads to.
struct Set<'a> {
    program: &'a [Inst<'a>],
    fold: bool,
    now: Vec<usize>,
    next: Vec<usize>,
    /// Per state, the step in which it was last entered.
    entered: Vec<usize>,
    step: usize,
    stack: Vec<usize>,
}

impl<'a> Set<'a> {
    fn new(program: &'a [Inst<'a>], fold: bool) -> Self {
        let entered = vec![0; program.len().saturating_add(1)];
        Self { program, fold, now: Vec::new(), next: Vec::new(), entered, step: 0, stack: Vec::new() }
    }

    fn walk(mut self, text: &str) -> bool {
        self.step = 1;
        self.enter(0, true);
        for c in text.chars() {
            std::mem::swap(&mut self.now, &mut self.next);
            self.step = self.step.saturating_add(1);
            let folded = if self.fold { fold_char(c) } else { c };
            while let Some(state) = self.now.pop() {
                self.take(state, c, folded);
            }
            if self.next.is_empty() {
                return false;
            }
        }
        self.next.contains(&self.program.len())
    }

    /// Leads one state over a character.
    fn take(&mut self, state: usize, c: char, folded: char) {
        let (stays, goes) = match self.program.get(state) {
            Some(Inst::Char(x)) => (false, *x == folded),
            Some(Inst::One) => (false, c != '/'),
            Some(Inst::Class(class)) => (false, class.has(c, self.fold)),
            Some(Inst::Star) => (c != '/', false),
            Some(Inst::Deep | Inst::Folders) => (true, false),
            Some(Inst::Fork(_) | Inst::Jump(_)) | None => (false, false),
        };
        if stays {
            self.enter(state, c == '/');
        }
        if goes {
            self.enter(state.saturating_add(1), c == '/');
        }
    }

    /// Enters a state and all that it leads to without a character. `fresh`:
    /// the text so far is empty or ends in `/`.
    fn enter(&mut self, state: usize, fresh: bool) {
        self.stack.push(state);
        while let Some(state) = self.stack.pop() {
            match self.entered.get_mut(state) {
                Some(entered) if *entered < self.step => *entered = self.step,
                _ => continue,
            }
            let behind = state.saturating_add(1);
            match self.program.get(state) {
                Some(Inst::Jump(target)) => self.stack.push(*target),
                Some(Inst::Fork(target)) => self.stack.extend([*target, behind]),
                Some(Inst::Star | Inst::Deep) => {
                    self.next.push(state);
                    self.stack.push(behind);
                }
                Some(Inst::Folders) => {
                    self.next.push(state);
                    self.stack.extend(fresh.then_some(behind));
                }
                _ => self.next.push(state),
            }
        }
    }
}
