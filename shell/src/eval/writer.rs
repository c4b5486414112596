//! Which files a program writes, by its arguments.

use super::super::tables::writers::{Outputs, Writer};
use super::super::token::{Range, Token, Words, long, within};
use super::file_name::Match;
use super::state::Place;
use super::written::Named;
use super::{Done, Walk};

/// What a file of a command is.
pub(super) struct Output {
    pub(super) word: Token,
    pub(super) is_folder: bool,
    pub(super) text: Option<Token>,
    /// The file that it is a copy of, which the line has not written.
    pub(super) program: Option<Token>,
    /// The commands that wrote what it is copied from.
    pub(super) by: Vec<Range>,
}

impl Output {
    pub(super) const fn file(word: Token) -> Self {
        Self { word, is_folder: false, text: None, program: None, by: Vec::new() }
    }

    const fn folder(word: Token) -> Self {
        Self { word, is_folder: true, text: None, program: None, by: Vec::new() }
    }
}

impl Walk {
    /// The files that a program writes according to its arguments.
    pub(super) fn outputs(
        &mut self,
        at: usize,
        writer: &'static Writer,
        place: (Place, u32),
    ) -> Done<Vec<Output>> {
        let Some(seen) = self.commands.get(at) else { return Ok(Vec::new()) };
        let (flags, words, more) = (seen.flags, seen.words, seen.more);
        let sub = seen.sub.map(|sub| self.arena.text(sub).to_owned()).unwrap_or_default();
        let operands: Vec<Token> =
            within(&self.operands, seen.operands).iter().map(|(_, word)| *word).collect();
        let (mut all, mut folder, mut names) = (Vec::new(), None, Vec::new());
        for at in flags.0..flags.1 {
            let Some(flag) = self.flags.get(long(at)).copied() else { break };
            let name = flag.name.text(&self.arena);
            match flag.value {
                Some(file) if writer.is_output(name) => names.push(file),
                Some(dir) if writer.is_folder(name) => folder = Some(dir),
                _ => {}
            }
        }
        let has = |walk: &Self, names: &str| {
            let is = |name: &str| names.split(' ').any(|own| own == name);
            within(&walk.flags, flags).iter().any(|flag| is(flag.name.text(&walk.arena)))
        };
        for name in &names {
            // `#1` of curl is a part of an address.
            let is_open = writer.outputs == Outputs::Download && self.arena.text(*name).contains('#');
            all.push(match folder {
                Some(dir) if is_open => Output::folder(dir),
                Some(dir) => Output::file(self.join_with(&[dir, *name], "/")),
                None if is_open => Output::folder(self.text(".")),
                None => Output::file(*name),
            });
        }
        if more && writer.outputs != Outputs::Nothing {
            // `xargs` adds names.
            let open = self.unknown("$@");
            all.push(Output::folder(open));
        }
        let own_folder = folder;
        let folder = folder.unwrap_or_else(|| self.text("."));
        match writer.outputs {
            Outputs::Nothing => {}
            Outputs::Operands => all.extend(operands.into_iter().map(Output::file)),
            Outputs::Edited(options) if has(self, options) => {
                all.extend(operands.into_iter().map(Output::file))
            }
            Outputs::Edited(_) => {}
            Outputs::First => {
                let file = operands.first().copied().unwrap_or_else(|| self.text("typescript"));
                all.push(Output::file(file));
            }
            Outputs::Second => all.extend(operands.get(1).copied().map(Output::file)),
            Outputs::CopiesOf(subs) if !subs.split(' ').any(|own| own == sub) => {}
            Outputs::Copies | Outputs::CopiesOf(_) => {
                let name = self.arena.word(words, 0).map(|word| self.arena.text(word)).unwrap_or_default();
                let name = name.rsplit('/').next().unwrap_or_default();
                let is_certain = matches!(name.strip_prefix('g').unwrap_or(name), "cp" | "mv" | "install");
                self.copies(&operands, own_folder, is_certain, place, &mut all)?;
            }
            Outputs::Unpacked => {
                for operand in operands {
                    if let Some(end) = self.arena.text(operand).rfind('.') {
                        all.push(Output::file(self.arena.slice(operand, 0, end)));
                    }
                }
            }
            Outputs::Download => all.extend(self.downloads(writer, &operands, folder, flags)),
            Outputs::Folder if self.extracts(words, &operands, flags) => all.push(Output::folder(folder)),
            Outputs::Folder => {}
            Outputs::Dd => {
                for operand in operands {
                    let (text, length) = (self.arena.text(operand), self.arena.text(operand).len());
                    if text.starts_with("of=") {
                        all.push(Output::file(self.arena.slice(operand, 3, length)));
                    }
                }
            }
            Outputs::Clone => match sub.as_str() {
                "clone" | "checkout" | "co" | "export" if sub != "checkout" || self.is_svn(words) => {
                    let named = operands.get(1).copied();
                    let dir = named.or_else(|| self.base_name(operands.first().copied(), folder));
                    all.push(Output::folder(dir.unwrap_or(folder)));
                }
                "download" | "apply" | "am" => all.push(Output::folder(folder)),
                _ => {}
            },
        }
        Ok(all)
    }

    fn is_svn(&self, words: Words) -> bool {
        self.arena.word(words, 0).is_some_and(|word| self.arena.text(word).ends_with("svn"))
    }

    /// Whether a program for archives and similar writes the files in them.
    fn extracts(&self, words: Words, operands: &[Token], flags: Range) -> bool {
        let has = |names: &[&str]| {
            within(&self.flags, flags).iter().any(|flag| names.contains(&flag.name.text(&self.arena)))
        };
        let first = operands.first().map(|word| self.arena.text(*word)).unwrap_or_default();
        let name = self.arena.word(words, 0).map(|word| self.arena.text(word)).unwrap_or_default();
        match name.rsplit('/').next().unwrap_or_default().trim_start_matches('g') {
            "tar" | "bsdtar" => {
                has(&["x", "extract", "get"]) && !has(&["O", "to-stdout"]) || is_old_option(first)
            }
            "cpio" => has(&["i", "extract", "p", "pass-through"]),
            "unzip" => !has(&["l", "p", "t", "Z", "z", "c"]),
            "7z" | "7za" | "7zr" | "unrar" | "ar" | "jar" => first.starts_with(['x', 'e']) || has(&["x"]),
            _ => true,
        }
    }

    /// The last segment of an address, in a directory.
    fn base_name(&mut self, address: Option<Token>, dir: Token) -> Option<Token> {
        let address = address?;
        let text = self.arena.text(address);
        let end = text.trim_end_matches('/').len();
        let end = text.get(..end)?.strip_suffix(".git").map_or(end, str::len);
        let from = text.get(..end)?.rfind(['/', ':']).map_or(0, |at| at + 1);
        if from == end || !self.arena.is_known(address) {
            return None;
        }
        let name = self.arena.slice(address, from, end);
        Some(self.join_with(&[dir, name], "/"))
    }

    /// The files that get the names in addresses, in a directory.
    fn downloads(&mut self, writer: &Writer, operands: &[Token], dir: Token, flags: Range) -> Vec<Output> {
        let has = |names: &[&str]| {
            within(&self.flags, flags).iter().any(|flag| names.contains(&flag.name.text(&self.arena)))
        };
        // For `curl`, `-O` says that there is a file.
        let is_wget = writer.is_output("O");
        let is_file = if is_wget {
            !has(&["O", "output-document"])
        } else {
            has(&["O", "remote-name", "remote-name-all", "J", "remote-header-name"])
        };
        if !is_file {
            return Vec::new();
        }
        let is_open =
            has(&["J", "remote-header-name", "r", "recursive", "i", "input-file", "m", "mirror", "p"])
                || has(&[
                    "page-requisites",
                    "content-disposition",
                    "trust-server-names",
                    "x",
                    "force-directories",
                ])
                || operands.is_empty();
        if is_open {
            return vec![Output::folder(dir)];
        }
        let mut all = Vec::new();
        for operand in operands {
            let text = self.arena.text(*operand);
            let name = match (text.contains(['?', '#', '%', '{', '[']), self.base_name(Some(*operand), dir)) {
                (false, Some(name)) => Output::file(name),
                (false, None) if is_wget && self.arena.is_known(*operand) => {
                    let index = self.text("index.html");
                    Output::file(self.join_with(&[dir, index], "/"))
                }
                _ => Output::folder(dir),
            };
            all.push(name);
        }
        all
    }

    /// The files that `cp`, `mv` and similar programs write. If it is `certain` that the content is that of the
    /// operands, only files that the line has written are new ones.
    fn copies(
        &mut self,
        operands: &[Token],
        folder: Option<Token>,
        is_certain: bool,
        (place, lost): (Place, u32),
        all: &mut Vec<Output>,
    ) -> Done<()> {
        let (target, sources) = match (folder, operands.split_last()) {
            (Some(folder), _) => (folder, operands),
            // `ln FILE`
            (None, Some((only, []))) => (self.text("."), std::slice::from_ref(only)),
            (None, Some((last, sources))) => (*last, sources),
            (None, None) => return Ok(()),
        };
        let (mut by, mut texts, mut is_new) = (Vec::new(), Vec::new(), !is_certain);
        let (mut program, has_written) =
            (sources.first().copied(), self.written.iter().any(|own| own.program.is_none()));
        for source in sources {
            let text = self.arena.text(*source);
            let is_open = !self.arena.is_known(*source) || !self.origins_of(*source).is_empty();
            is_new |= is_open && has_written;
            is_new |= !self.origins_of(*source).is_empty();
            is_new |= text == "-" || text.starts_with("/dev/") || text.starts_with("/proc/");
            self.step(self.written.len())?;
            let names = self.names(Named { word: *source, place, lost });
            for own in &self.written {
                let exact = own.compare(&names);
                let below = names.0.contains(&own.name).max(if own.is_folder { exact } else { Match::No });
                if own.program.is_some() {
                    // A copy of a copy.
                    program = if exact == Match::Same { own.program } else { program };
                } else if exact.max(below) > Match::No {
                    is_new = true;
                    by.extend_from_slice(&own.by);
                    let is_sole = exact == Match::Same && below == Match::No && is_certain;
                    texts.push(own.text.filter(|_| is_sole));
                }
            }
        }
        if let (Some(program), [source], []) = (program, sources, texts.as_slice()) {
            all.push(Output { program: Some(program), ..Output::file(target) });
            if let Some(inner) = self.base_name(Some(*source), target) {
                all.push(Output { program: Some(program), ..Output::file(inner) });
            }
        }
        if !is_new {
            return Ok(());
        }
        let text = match (sources, texts.as_slice()) {
            ([_], [text]) => *text,
            _ => None,
        };
        let Some(source) = sources.first().filter(|_| text.is_some()) else {
            all.push(Output { by, ..Output::folder(target) });
            return Ok(());
        };
        // The target is a file, or a directory.
        all.push(Output { text, by: by.clone(), ..Output::file(target) });
        if let Some(inner) = self.base_name(Some(*source), target) {
            all.push(Output { text, by, ..Output::file(inner) });
        }
        Ok(())
    }
}

/// Whether the first word of `tar` is its options without a dash, and unpacks.
fn is_old_option(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 8
        && text.contains('x')
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}
