//! Memory that the next line uses again.

use std::cell::Cell;

use super::super::arena::{Arena, Token};
use super::{Flag, Input, Range, Seen, Walk};

/// The largest memory that is kept, in elements of its largest part.
const LARGEST: usize = 1 << 18;

/// The lists of a walk, without their content.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) arena: Arena,
    pub(super) commands: Vec<Seen>,
    pub(super) vias: Vec<(u32, String)>,
    pub(super) pipes: Vec<(u32, u32, u32)>,
    pub(super) flags: Vec<Flag>,
    pub(super) operands: Vec<Token>,
    pub(super) origins: Vec<Range>,
    pub(super) dirs: Vec<String>,
    pub(super) inputs: Vec<Input>,
    pub(super) texts: Vec<String>,
    pub(super) lists: Vec<Vec<(u32, Token)>>,
}

thread_local! {
    static BUFFERS: Cell<Option<Box<Buffers>>> = const { Cell::new(None) };
}

impl Buffers {
    /// Those of the last line of this thread, if nothing else uses them.
    pub(super) fn take() -> Box<Self> {
        BUFFERS.try_with(Cell::take).ok().flatten().unwrap_or_default()
    }

    fn keep(mut self: Box<Self>) {
        self.arena.clear();
        self.commands.clear();
        self.vias.clear();
        self.pipes.clear();
        self.flags.clear();
        self.operands.clear();
        self.origins.clear();
        self.dirs.clear();
        self.inputs.clear();
        let sizes = [self.arena.capacity(), self.flags.capacity(), self.operands.capacity()];
        if sizes.into_iter().all(|size| size <= LARGEST) {
            // The thread ends: nothing reads another line.
            let _ = BUFFERS.try_with(|buffers| buffers.set(Some(self)));
        }
    }
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        let Some(mut buffers) = self.buffers.take() else { return };
        buffers.arena = std::mem::take(&mut self.arena);
        buffers.commands = std::mem::take(&mut self.commands);
        buffers.vias = std::mem::take(&mut self.vias);
        buffers.pipes = std::mem::take(&mut self.pipes);
        buffers.flags = std::mem::take(&mut self.flags);
        buffers.operands = std::mem::take(&mut self.operands);
        buffers.origins = std::mem::take(&mut self.origins);
        buffers.dirs = std::mem::take(&mut self.dirs);
        buffers.inputs = std::mem::take(&mut self.inputs);
        buffers.texts = std::mem::take(&mut self.texts);
        buffers.lists = std::mem::take(&mut self.lists);
        buffers.keep();
    }
}

impl Walk<'_> {
    /// A copy of a word's text that outlives changes of the arena.
    pub(super) fn copy_text(&mut self, token: Token) -> String {
        let mut text = self.texts.pop().unwrap_or_default();
        text.clear();
        text.push_str(self.arena.text(token));
        text
    }

    /// Gives the memory of a copied text back.
    pub(super) fn reuse(&mut self, text: String) {
        if text.capacity() <= 4096 && self.texts.len() < 16 {
            self.texts.push(text);
        }
    }
}
