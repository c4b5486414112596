//! Which files a program writes, by its arguments.

use super::super::programs::{Attribute, If, Opt, Place, Program, Role, Row};
use super::super::token::{Range, Token, long, within};
use super::file_name::Match;
use super::state::Place as Dir;
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

/// The words of a command whose files are asked for.
struct Words {
    flags: Range,
    operands: Vec<Token>,
    /// Its row, that of its subcommand if it has one.
    row: &'static Row,
}

impl Walk {
    /// The files that a program writes according to its arguments.
    pub(super) fn outputs(
        &mut self,
        at: usize,
        program: &'static Program,
        place: (Dir, u32),
    ) -> Done<Vec<Output>> {
        let Some(seen) = self.commands.get(at) else { return Ok(Vec::new()) };
        let (flags, more) = (seen.flags, seen.more);
        let verb = seen.sub.and_then(|sub| program.verb(self.arena.text(sub)));
        let operands = within(&self.operands, seen.operands).iter().map(|(_, word)| *word).collect();
        let words = Words { flags, operands, row: verb.map_or(program.row, |verb| verb.row) };
        let (mut outputs, mut folder, mut names) = (Vec::new(), None, Vec::new());
        for at in flags.0..flags.1 {
            let Some(flag) = self.flags.get(long(at)).copied() else { break };
            let Some(value) = flag.value else { continue };
            let name = flag.name.text(&self.arena);
            let option = verb.and_then(|verb| verb.flag(name)).or_else(|| program.options().flag(name));
            match option.and_then(Opt::role) {
                Some(Role::Write | Role::Edit) => names.push(value),
                _ if option.is_some_and(|option| option.attributes.has(Attribute::Write)) => {
                    names.push(value)
                }
                Some(Role::Into) => folder = Some(value),
                _ => {}
            }
        }
        // Of several conditions that hold, the last one that has a key gives it.
        let holding: Vec<&If> = words.row.ifs().iter().rev().filter(|one| self.holds(one, &words)).collect();
        let of_condition = |key| holding.iter().find_map(|condition| condition.text(key));
        let kind = of_condition("outputs").or_else(|| words.row.text("outputs"));
        let places = holding
            .iter()
            .find_map(|one| one.operands())
            .or_else(|| words.row.operands())
            .unwrap_or_default();
        for name in &names {
            // `#1` of curl is a part of an address.
            let is_open = kind == Some("url") && self.arena.text(*name).contains('#');
            outputs.push(match folder {
                Some(dir) if is_open => Output::folder(dir),
                Some(dir) => Output::file(self.join_with(&[dir, *name], "/")),
                None if is_open => Output::folder(self.text(".")),
                None => Output::file(*name),
            });
        }
        let has_places = places.iter().any(|place| is_written(place.role)) || is_transfer(&places);
        if more && (kind.is_some() || has_places || words.row.text("pairs").is_some()) {
            // `xargs` adds names.
            let open = self.unknown("$@");
            outputs.push(Output::folder(open));
        }
        self.operand_outputs(&words, (kind, &places), folder, place, &mut outputs)?;
        Ok(outputs)
    }

    /// The files that its operands say.
    fn operand_outputs(
        &mut self,
        words: &Words,
        (kind, places): (Option<&str>, &[Place]),
        folder: Option<Token>,
        place: (Dir, u32),
        outputs: &mut Vec<Output>,
    ) -> Done<()> {
        let here = folder.unwrap_or_else(|| self.text("."));
        let operands = &words.operands;
        match kind {
            Some("operands") => outputs.extend(operands.iter().copied().map(Output::file)),
            Some("url") => outputs.extend(self.downloads(words, here)),
            Some("here") => outputs.push(Output::folder(here)),
            Some("unpacked") => {
                for operand in operands {
                    if let Some(end) = self.arena.text(*operand).rfind('.') {
                        outputs.push(Output::file(self.arena.slice(*operand, 0, end)));
                    }
                }
            }
            Some("clone") => {
                let named = operands.get(1).copied();
                let dir = named.or_else(|| self.base_name(operands.first().copied(), here));
                outputs.push(Output::folder(dir.unwrap_or(here)));
            }
            _ => {}
        }
        for pair in words.row.text("pairs").unwrap_or_default().split(' ') {
            let Some((name, "WRITE")) = pair.split_once('=') else { continue };
            for operand in operands {
                let text = self.arena.text(*operand);
                if text.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')) {
                    outputs.push(Output::file(self.arena.slice(*operand, name.len() + 1, text.len())));
                }
            }
        }
        let is_many = places.iter().any(|place| place.repeats && !is_written(place.role));
        match places.iter().position(|place| is_written(place.role)) {
            // `scp FILE... TARGET`
            None if is_transfer(places) => self.copies(operands, folder, false, place, outputs)?,
            None => {}
            // `cp FILE... TARGET`
            Some(_) if is_many && places.last().is_some_and(|place| is_written(place.role)) => {
                self.copies(operands, folder, words.row.is("copies"), place, outputs)?;
            }
            Some(_) if places.iter().any(|place| place.repeats && is_written(place.role)) => {
                outputs.extend(operands.iter().copied().map(Output::file));
            }
            Some(at) => {
                let implied = words.row.text("implied").and_then(|implied| implied.strip_prefix("WRITE "));
                let file = operands.get(at).copied().or_else(|| implied.map(|name| self.text(name)));
                outputs.extend(file.map(Output::file));
            }
        }
        Ok(())
    }

    /// Whether the condition of an `if` is true.
    fn holds(&self, condition: &If, words: &Words) -> bool {
        let names_of_flags = within(&self.flags, words.flags).iter().map(|flag| flag.name.text(&self.arena));
        let is_there = |name: &str| names_of_flags.clone().any(|flag| flag == name.trim_start_matches('-'));
        let has = |key: &str| condition.flags(key).any(is_there);
        let is_word = |pattern: &str| {
            let first = words.operands.first().map_or("", |word| self.arena.text(*word));
            pattern.strip_suffix('*').map_or(first == pattern, |start| first.starts_with(start))
        };
        let words_are = ["words", "first"]
            .into_iter()
            .all(|key| condition.text(key).is_none_or(|values| values.split(['|', ' ']).any(is_word)));
        words_are
            && (condition.text("flag").is_none() || has("flag"))
            && !(condition.text("unless").is_some() && has("unless"))
            && condition.text("two").is_none()
            && !condition.is("nothing")
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
    fn downloads(&mut self, words: &Words, dir: Token) -> Vec<Output> {
        let has = |names: &[&str]| {
            within(&self.flags, words.flags).iter().any(|flag| names.contains(&flag.name.text(&self.arena)))
        };
        // For `curl`, an option says that there is a file.
        let options = words.row.read_options().listed().iter();
        let mut options = options
            .filter(|option| option.attributes.has(Attribute::Download))
            .flat_map(Opt::names)
            .peekable();
        let is_always = options.peek().is_none();
        let is_file = match is_always {
            true => !has(&["O", "output-document"]),
            false => options.any(|name| has(&[name.trim_start_matches('-')])),
        };
        let operands = &words.operands;
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
        let mut outputs = Vec::new();
        for operand in operands {
            let text = self.arena.text(*operand);
            let name = match (text.contains(['?', '#', '%', '{', '[']), self.base_name(Some(*operand), dir)) {
                (false, Some(name)) => Output::file(name),
                (false, None) if is_always && self.arena.is_known(*operand) => {
                    let index = self.text("index.html");
                    Output::file(self.join_with(&[dir, index], "/"))
                }
                _ => Output::folder(dir),
            };
            outputs.push(name);
        }
        outputs
    }

    /// The files that `cp`, `mv` and similar programs write. If it is `certain` that the content is that of the
    /// operands, only files that the line has written are new ones.
    fn copies(
        &mut self,
        operands: &[Token],
        folder: Option<Token>,
        is_certain: bool,
        (place, lost): (Dir, u32),
        outputs: &mut Vec<Output>,
    ) -> Done<()> {
        let (target, sources) = match (folder, operands.split_last()) {
            (Some(folder), _) => (folder, operands),
            // `ln FILE`
            (None, Some((only, []))) => (self.text("."), std::slice::from_ref(only)),
            (None, Some((last, sources))) => (*last, sources),
            (None, None) => return Ok(()),
        };
        let (mut by, mut texts, mut is_new) = (Vec::new(), Vec::new(), !is_certain);
        let (mut program, has_written) = (
            sources.first().copied(),
            self.written.iter().any(|names_of_flags| names_of_flags.program.is_none()),
        );
        for source in sources {
            let text = self.arena.text(*source);
            let is_open = !self.arena.is_known(*source) || !self.origins_of(*source).is_empty();
            is_new |= is_open && has_written;
            is_new |= !self.origins_of(*source).is_empty();
            is_new |= text == "-" || text.starts_with("/dev/") || text.starts_with("/proc/");
            self.step(self.written.len())?;
            let names = self.names(Named { word: *source, place, lost });
            for names_of_flags in &self.written {
                let exact = names_of_flags.compare(&names);
                let below = names.0.contains(&names_of_flags.name).max(if names_of_flags.is_folder {
                    exact
                } else {
                    Match::No
                });
                if names_of_flags.program.is_some() {
                    // A copy of a copy.
                    program = if exact == Match::Same { names_of_flags.program } else { program };
                } else if exact.max(below) > Match::No {
                    is_new = true;
                    by.extend_from_slice(&names_of_flags.by);
                    let is_sole = exact == Match::Same && below == Match::No && is_certain;
                    texts.push(names_of_flags.text.filter(|_| is_sole));
                }
            }
        }
        if let (Some(program), [source], []) = (program, sources, texts.as_slice()) {
            outputs.push(Output { program: Some(program), ..Output::file(target) });
            if let Some(inner) = self.base_name(Some(*source), target) {
                outputs.push(Output { program: Some(program), ..Output::file(inner) });
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
            outputs.push(Output { by, ..Output::folder(target) });
            return Ok(());
        };
        // The target is a file, or a directory.
        outputs.push(Output { text, by: by.clone(), ..Output::file(target) });
        if let Some(inner) = self.base_name(Some(*source), target) {
            outputs.push(Output { text, by, ..Output::file(inner) });
        }
        Ok(())
    }
}

/// Whether an operand in this role is written.
fn is_written(role: Role) -> bool {
    matches!(role, Role::Write | Role::Edit)
}

/// Whether the last operand is the target of what is copied from or to another machine.
fn is_transfer(places: &[Place]) -> bool {
    places.last().is_some_and(|place| place.role == Role::Remote && !place.repeats)
}
