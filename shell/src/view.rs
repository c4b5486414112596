//! The view of a command line: canonical JSON.

use std::collections::HashSet;
use std::ops::Range;

use hookc_base::json::{key_order, push_string};

use super::eval::{Flag, FlagName, Seen, Target, Walk};
use super::members::Member;
use super::programs::Programs;
use super::programs::base_name;
use super::token::{self, Special, Token, is_json, long, short, within};
use super::typed::is_sink;
use super::{Cause, Members, Problem};
use crate::{limits, paths};

/// The members of the view.
pub const MEMBERS: [&str; 4] = ["commands", "ok", "opaque", "reason"];

/// The members of a redirection.
pub const REDIRECT_MEMBERS: [&str; 6] = ["inside", "known", "op", "path", "target", "write"];

/// The view of a command line as canonical JSON of at most
/// [`SHELL_VIEW_BYTES`](limits::SHELL_VIEW_BYTES): what a shell would run. `cwd` is the working
/// directory of the event, `programs` are those that policies describe, in
/// addition to those of the tables.
///
/// For a line that cannot be read, `ok` is false, `reason` is the word of its [`Cause`], and there
/// are no commands.
#[must_use]
pub fn view(text: &str, cwd: Option<&str>, programs: &Programs) -> String {
    let mut out = String::new();
    write_view(text, cwd, programs, Members::all(), &mut out);
    out
}

/// Appends the [`view()`] of a command line, whose commands have only these members.
pub fn write_view(text: &str, cwd: Option<&str>, programs: &Programs, members: &Members, out: &mut String) {
    let start = out.len();
    let done = Walk::with(text.len(), cwd, programs, |walk| {
        walk.line(text)?;
        if !members.is_all() && may_exceed(walk) {
            // Whether a view is too large depends on all of it, whoever reads it.
            write(walk, text.len(), Members::all(), out)?;
            out.truncate(start);
        }
        write(walk, text.len(), members, out)
    });
    if let Err(problem) = done {
        out.truncate(start);
        write_unread(problem.cause, out);
    }
}

/// The work for the view of a line, in steps and in elements and bytes of results. Unlike time, it
/// is the same each time.
#[doc(hidden)]
#[must_use]
pub fn work(text: &str) -> usize {
    let mut out = String::new();
    let walked = Walk::with(text.len(), None, &Programs::SHIPPED, |walk| {
        // What a limit ends was work too.
        let _ = walk.line(text).and_then(|()| write(walk, text.len(), Members::all(), &mut out));
        walk.work()
    });
    walked + out.len()
}

fn write(walk: &Walk, size: usize, members: &Members, out: &mut String) -> Result<(), Problem> {
    let most = out.len() + limits::SHELL_VIEW_BYTES;
    out.reserve(96 + walk.commands.len() * 240 + size * 3);
    out.push_str("{\"commands\":[");
    let mut writer = Writer { walk, out, members, cwd: None, path: String::new() };
    for (at, seen) in walk.commands.iter().enumerate() {
        if at > 0 {
            writer.out.push(',');
        }
        writer.command(seen);
        if writer.out.len() > most {
            return Err(Problem { cause: Cause::TooLarge, at: 0 });
        }
    }
    out.push_str("],\"ok\":true,\"opaque\":[");
    let mut first = true;
    for kind in walk.opaque.iter() {
        item(kind.as_str(), &mut first, out);
    }
    out.push_str("]}");
    Ok(())
}

/// Appends the view of a line that cannot be read.
pub fn write_unread(cause: Cause, out: &mut String) {
    out.push_str("{\"commands\":[],\"ok\":false,\"opaque\":[],\"reason\":\"");
    out.push_str(cause.as_str());
    out.push_str("\"}");
}

/// Appends a word in quotes, so that a shell reads it as it is; a space separates it from the text
/// before it.
pub fn write_word(word: &str, line: &mut String) {
    line.push_str(if line.is_empty() { "'" } else { " '" });
    line.push_str(&word.replace('\'', "'\\''"));
    line.push('\'');
}

/// Why the commands of a tool cannot be read: it has a shell of another language.
#[must_use]
pub fn foreign(tool: &str) -> Option<Cause> {
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(tool));
    if is(&["powershell", "pwsh"]) {
        return Some(Cause::PowerShell);
    }
    is(&["cmd", "cmd.exe", "batch"]).then_some(Cause::Cmd)
}

/// A string, most of which need no escapes.
fn string(text: &str, out: &mut String) {
    if is_json(text) { quoted(text, out) } else { push_string(text, out) }
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

fn item(text: &str, first: &mut bool, out: &mut String) {
    if !std::mem::replace(first, false) {
        out.push(',');
    }
    string(text, out);
}

fn boolean(is: Option<bool>) -> &'static str {
    match is {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

impl Facts<'_> {
    /// Whether a member has its usual value.
    #[inline]
    fn is_usual(&self, member: Member, seen: &Seen) -> bool {
        let is_empty = |(from, to): (u32, u32)| from == to;
        match member {
            Member::Args => self.words.len() < 2,
            Member::Cwd => seen.place.dir.is_none(),
            Member::Env => is_empty(seen.env),
            Member::Flags => is_empty(seen.flags),
            Member::Globs => !self.marked,
            Member::Known => !self.marked && !seen.more && is_empty(seen.env) && is_empty(seen.redirects),
            Member::Name => self.program.is_none(),
            Member::Operands => self.operands.is_empty(),
            Member::Path => self.program.map(str::len) == self.name.map(str::len),
            Member::PipesTo => seen.pipe == 0,
            Member::Redirects => is_empty(seen.redirects) && !self.inherits,
            Member::Repeated => seen.flags.1 - seen.flags.0 < 2 || !self.repeats,
            Member::Rest => self.operands.len() < 2,
            Member::Runs => seen.runs.is_empty(),
            Member::Sub => seen.sub.is_none(),
            Member::Via => seen.via == 0,
        }
    }
}

/// Whether the view with all members may be larger than
/// [`SHELL_VIEW_BYTES`](limits::SHELL_VIEW_BYTES): an upper bound, which costs less than the view.
fn may_exceed(walk: &Walk) -> bool {
    /// Bytes of a command or a redirection, at most, per byte of the texts: each text is in fewer
    /// members, and escapes take six bytes.
    const SPREAD: usize = 192;
    let own = walk.dirs.iter().map(String::len).chain(walk.vias.iter().map(|via| via.text.len()));
    let texts = walk.arena.size() + own.sum::<usize>();
    // Each command can have those around it of its input, its output and its errors.
    let inherited = if walk.targets.is_empty() { 0 } else { 3 * walk.commands.len() };
    let rows = walk.commands.len() + walk.targets.len() + inherited;
    let rough = rows.saturating_mul(texts + 16).saturating_mul(SPREAD);
    if rough < limits::SHELL_VIEW_BYTES {
        return false;
    }
    let name = walk.commands.iter().filter_map(|seen| walk.arena.word(seen.words, 0));
    let name = name.map(|word| walk.arena.most(word)).max().unwrap_or(0);
    let mut total = 128_usize;
    walk.commands.iter().any(|seen| {
        total = total.saturating_add(most(walk, seen, name));
        total > limits::SHELL_VIEW_BYTES
    })
}

/// Bytes of the members of a command, at most, if no name of a program has more than `name` bytes.
fn most(walk: &Walk, seen: &Seen, name: usize) -> usize {
    /// Keys, brackets and values without texts of their own.
    const COMMAND: usize = 256;
    const REDIRECT: usize = 128;
    /// How often a word is in the view: in `args`, `globs`, `operands`, `rest`, and as `name`, `path`
    /// and `sub`.
    const WORD: usize = 7;
    let word = |word: &Token| walk.arena.most(*word);
    let dir = |dir: Option<u32>| dir.and_then(|dir| walk.dirs.get(long(dir))).map_or(0, |dir| 6 * dir.len());
    let words: usize = walk.arena.words(seen.words).iter().map(word).sum();
    let operands: usize =
        within(&walk.operands, seen.operands).iter().map(|(_, operand)| word(operand)).sum();
    let place = dir(seen.place.dir);
    let all = COMMAND + WORD * words + 2 * operands + place;
    let is_plain = |(from, to): token::Range| from == to;
    let is_alone = seen.pipe == 0 && seen.via == 0 && seen.runs.is_empty() && seen.sub.is_none();
    if is_alone && is_plain(seen.flags) && is_plain(seen.env) && is_plain(seen.redirects) && !seen.inherits()
    {
        return all;
    }
    let settings = within(&walk.settings, seen.env).iter().map(|(name, value)| word(name) + word(value));
    let flags = within(&walk.flags, seen.flags).iter().map(|flag| {
        let key = match &flag.name {
            FlagName::Text(key) => word(key),
            FlagName::Static(key) => 3 + 6 * key.len(),
        };
        key + flag.value.as_ref().map_or(4, word)
    });
    let targets = within(&walk.targets, seen.redirects).iter().chain(walk.inherited(seen));
    let targets = targets.map(|target| {
        let places = dir(target.place.dir) + dir(target.place.other.flatten());
        REDIRECT + 2 * 6 * (word(&target.word) + places)
    });
    let lists = walk.pipelines(seen.pipe).chain(seen.runs.iter().copied());
    let names: usize = lists.map(|(from, to)| long(to.saturating_sub(from))).sum();
    let via: usize = walk.starters(seen.via).map(|text| 3 + 6 * text.len()).sum();
    all + settings.sum::<usize>()
        // `repeated` has them too.
        + 2 * flags.sum::<usize>()
        + targets.sum::<usize>()
        + names * name
        + via
        + seen.sub.as_ref().map_or(0, word)
}

impl Walk {
    /// The program of a command, if it is known.
    pub(super) fn program(&self, seen: &Seen) -> Option<&str> {
        let first = self.arena.word(seen.words, 0)?;
        let text = self.arena.text(first);
        let hidden = text != "[" && self.arena.has(first, |kind| kind.is_unknown() || kind == Special::Glob);
        (!hidden || self.arena.has_known_name(first)).then_some(text)
    }

    /// The texts of the programs that start a command, the innermost first.
    pub(super) fn starters(&self, via: u32) -> impl Iterator<Item = &str> + Clone + use<'_> {
        let mut next = via;
        std::iter::from_fn(move || {
            let via = self.vias.get(long(next)).filter(|_| next > 0)?;
            next = via.outer;
            Some(via.text.as_str())
        })
    }

    /// The commands behind a stage of a pipeline, and behind the pipelines around it.
    pub(super) fn pipelines(&self, pipe: u32) -> impl Iterator<Item = token::Range> + Clone + use<'_> {
        let mut next = pipe;
        std::iter::from_fn(move || {
            let (from, to, outer) = self.pipes.get(long(next)).copied().filter(|_| next > 0)?;
            next = outer;
            Some((from, to))
        })
    }
}

/// A view that is being written.
struct Writer<'w> {
    walk: &'w Walk,
    out: &'w mut String,
    members: &'w Members,
    /// The last directory that was written, and where.
    cwd: Option<(u32, Range<usize>)>,
    /// The path of a redirection.
    path: String,
}

/// What several members of a command need.
struct Facts<'w> {
    words: &'w [Token],
    operands: &'w [(u32, Token)],
    program: Option<&'w str>,
    /// Its last part.
    name: Option<&'w str>,
    /// A part of a word is special.
    marked: bool,
    /// Redirections around it can be in effect.
    inherits: bool,
    /// An option has several values.
    repeats: bool,
}

impl Writer<'_> {
    fn command(&mut self, seen: &Seen) {
        let words = self.walk.arena.words(seen.words);
        let program = self.walk.program(seen);
        let facts = Facts {
            words,
            operands: within(&self.walk.operands, seen.operands),
            program,
            name: program.map(base_name),
            marked: words.iter().any(|word| word.is_marked()),
            inherits: !self.walk.targets.is_empty() && seen.inherits(),
            repeats: self.members.has(Member::Repeated) && self.repeats(within(&self.walk.flags, seen.flags)),
        };
        self.out.push('{');
        let members = self.members;
        for (group, usual) in members.groups().filter(|(_, usual)| !usual.is_empty()) {
            if group.iter().all(|member| facts.is_usual(*member, seen)) {
                self.out.push_str(usual);
                continue;
            }
            for member in group.iter().filter(|member| members.has(**member)) {
                if facts.is_usual(*member, seen) {
                    self.out.push_str(member.usual());
                    continue;
                }
                self.out.push_str(member.key());
                self.member(*member, seen, &facts);
                self.out.push(',');
            }
        }
        if self.out.ends_with(',') {
            self.out.pop();
        }
        self.out.push('}');
    }

    fn member(&mut self, member: Member, seen: &Seen, facts: &Facts<'_>) {
        let walk = self.walk;
        let operands = facts.operands.iter().map(|(_, word)| word);
        match member {
            Member::Args => self.tokens(facts.words.iter().skip(1)),
            Member::Cwd => self.cwd(seen),
            Member::Env => self.env(within(&walk.settings, seen.env)),
            Member::Flags => self.flags(within(&walk.flags, seen.flags)),
            Member::Globs => self.globs(facts.words),
            Member::Known => self.out.push_str(boolean(Some(self.is_known(seen, facts.words)))),
            Member::Name => self.optional(facts.name),
            Member::Operands => self.tokens(operands),
            Member::Path => self.optional(facts.program),
            Member::PipesTo => self.names(walk.pipelines(seen.pipe)),
            Member::Redirects => self.redirects(seen),
            Member::Repeated => self.repeated(within(&walk.flags, seen.flags)),
            Member::Rest => self.tokens(operands.skip(1)),
            Member::Runs => self.names(seen.runs.iter().copied()),
            Member::Sub => self.optional(seen.sub.map(|sub| walk.arena.text(sub))),
            Member::Via => self.via(seen.via),
        }
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => string(text, self.out),
            None => self.out.push_str("null"),
        }
    }

    /// Words of a list.
    fn tokens<'t>(&mut self, words: impl Iterator<Item = &'t Token>) {
        let mut open = "[";
        for word in words {
            self.out.push_str(open);
            self.token(*word);
            open = ",";
        }
        self.out.push_str(if open == "[" { "[]" } else { "]" });
    }

    #[inline]
    fn token(&mut self, word: Token) {
        let text = self.walk.arena.text(word);
        if word.plain { quoted(text, self.out) } else { push_string(text, self.out) }
    }

    fn cwd(&mut self, seen: &Seen) {
        let Some(number) = seen.place.dir.filter(|_| !seen.place.is_either) else {
            return self.out.push_str("null");
        };
        if let Some((_, place)) = self.cwd.as_ref().filter(|(last, _)| *last == number) {
            return self.out.extend_from_within(place.clone());
        }
        let from = self.out.len();
        let dir = self.walk.dirs.get(long(number)).map(String::as_str);
        self.optional(dir.filter(|dir| dir.starts_with(['/', '~'])));
        self.cwd = Some((number, from..self.out.len()));
    }

    fn is_known(&self, seen: &Seen, words: &[Token]) -> bool {
        let is_known = |word: &Token| self.walk.arena.is_known(*word);
        let env = within(&self.walk.settings, seen.env);
        let targets = within(&self.walk.targets, seen.redirects);
        !seen.more
            && words.iter().all(is_known)
            && env.iter().all(|(_, value)| is_known(value))
            && targets.iter().all(|target| is_known(&target.word))
    }

    fn globs(&mut self, words: &[Token]) {
        let (arena, mut first) = (&self.walk.arena, true);
        let is = |kind| kind == Special::Glob;
        self.out.push('[');
        for word in words.iter().filter(|word| arena.has(**word, is)) {
            item(arena.text(*word), &mut first, self.out);
        }
        self.out.push(']');
    }

    fn env(&mut self, settings: &[(Token, Token)]) {
        let text = |token: Token| self.walk.arena.text(token);
        let mut all: Vec<(&str, &str)> =
            settings.iter().map(|(name, value)| (text(*name), text(*value))).collect();
        all.sort_by(|a, b| key_order(a.0, b.0));
        let mut first = true;
        self.out.push('{');
        for (at, (name, value)) in all.iter().enumerate() {
            // The last value of a name wins.
            if all.get(at + 1).is_some_and(|next| next.0 == *name) {
                continue;
            }
            item(name, &mut first, self.out);
            self.out.push(':');
            string(value, self.out);
        }
        self.out.push('}');
    }

    /// Flags, which are sorted; the last value of a name wins.
    fn flags(&mut self, own: &[Flag]) {
        let name = |flag: &Flag| flag.name.text(&self.walk.arena);
        let mut first = true;
        self.out.push('{');
        for (at, flag) in own.iter().enumerate() {
            let text = name(flag);
            if own.get(at + 1).is_some_and(|next| name(next) == text) {
                continue;
            }
            item(text, &mut first, self.out);
            match flag.value {
                Some(value) => {
                    self.out.push(':');
                    self.token(value);
                }
                None => self.out.push_str(":true"),
            }
        }
        self.out.push('}');
    }

    /// Whether an option has different values. Flags are sorted by name.
    fn repeats(&self, flags: &[Flag]) -> bool {
        flags
            .windows(2)
            .any(|two| matches!(two, [one, other] if self.is_same(one, other) && self.differ(one, other)))
    }

    fn is_same(&self, one: &Flag, other: &Flag) -> bool {
        one.name.text(&self.walk.arena) == other.name.text(&self.walk.arena)
    }

    fn differ(&self, one: &Flag, other: &Flag) -> bool {
        let text = |flag: &Flag| flag.value.map(|value| self.walk.arena.text(value));
        text(one) != text(other)
    }

    /// The options with different values, and all values of each in order.
    fn repeated(&mut self, flags: &[Flag]) {
        let (mut rest, mut first) = (flags, true);
        self.out.push('{');
        while let Some(flag) = rest.first() {
            let count = rest.iter().take_while(|other| self.is_same(flag, other)).count();
            let (values, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = behind;
            if !self.repeats(values) {
                continue;
            }
            item(flag.name.text(&self.walk.arena), &mut first, self.out);
            for (at, flag) in values.iter().enumerate() {
                self.out.push_str(if at == 0 { ":[" } else { "," });
                match flag.value {
                    Some(value) => self.token(value),
                    None => self.out.push_str("true"),
                }
            }
            self.out.push(']');
        }
        self.out.push('}');
    }

    /// The names of commands, each once.
    fn names(&mut self, ranges: impl Iterator<Item = token::Range>) {
        let walk = self.walk;
        let mut few: [&str; 8] = [""; 8];
        let (mut count, mut many, mut first) = (0, None::<HashSet<&str>>, true);
        self.out.push('[');
        for (from, to) in ranges {
            for command in within(&walk.commands, (from, to.min(short(walk.commands.len())))) {
                let Some(name) = walk.program(command) else { continue };
                let name = base_name(name);
                let is_old = few.iter().take(count).any(|own| *own == name);
                if is_old || many.as_ref().is_some_and(|many| many.contains(name)) {
                    continue;
                }
                match few.get_mut(count) {
                    Some(own) => (*own, count) = (name, count + 1),
                    None => drop(many.get_or_insert_default().insert(name)),
                }
                item(name, &mut first, self.out);
            }
        }
        self.out.push(']');
    }

    fn via(&mut self, via: u32) {
        let all: Vec<&str> = self.walk.starters(via).collect();
        let mut first = true;
        self.out.push('[');
        all.iter().rev().for_each(|text| item(text, &mut first, self.out));
        self.out.push(']');
    }

    fn redirects(&mut self, seen: &Seen) {
        let (walk, mut open) = (self.walk, "[{\"inside\":");
        for target in within(&walk.targets, seen.redirects).iter().chain(walk.inherited(seen)) {
            self.out.push_str(std::mem::replace(&mut open, ",{\"inside\":"));
            self.redirect(target);
        }
        self.out.push_str(if open.starts_with('[') { "[]" } else { "]" });
    }

    /// Where a target is from a directory; `None` if that is unknown.
    fn resolve(&mut self, dir: Option<u32>, text: &str) -> Option<()> {
        let base = match dir.and_then(|dir| self.walk.dirs.get(long(dir))) {
            Some(base) => base.as_str(),
            None if text.starts_with(['/', '~']) => "",
            None => return None,
        };
        self.path.clear();
        paths::resolve(base, text, &mut self.path)
    }

    fn redirect(&mut self, target: &Target) {
        let (arena, place) = (&self.walk.arena, target.place);
        let text = arena.text(target.word);
        let known = arena.literal(target.word).is_some();
        let body = target.body.is_some() || target.op == "<<<";
        let number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let is_copy = matches!(target.op, ">&" | "<&") && number;
        let is_file = !body && !is_copy;
        let event = self.walk.dirs.first().map_or("", String::as_str);
        let mut inside = None;
        if let Some(other) = place.other.filter(|_| is_file && known) {
            let other = self.resolve(other, text).and_then(|()| paths::is_inside(event, &self.path));
            inside = other.filter(|is| *is);
        }
        let has_path = is_file && known && self.resolve(place.dir, text).is_some();
        let own = if has_path { paths::is_inside(event, &self.path) } else { None };
        let is_open = place.is_either && !text.starts_with(['/', '~']);
        inside = if own == Some(true) && place.other.is_some() { inside } else { own.filter(|_| !is_open) };
        let write = is_file && target.op.contains('>') && !(has_path && is_sink(&self.path));
        let open = !arena.is_known(target.word);
        let all_known = !open && target.body.is_none_or(|body| arena.is_known(body));
        self.out.push_str(boolean(inside));
        self.out.push_str(",\"known\":");
        self.out.push_str(boolean(Some(all_known)));
        self.out.push_str(",\"op\":\"");
        self.out.push_str(target.op);
        self.out.push_str("\",\"path\":");
        if has_path && !is_open && self.path.starts_with(['/', '~']) {
            string(&self.path, self.out);
        } else {
            self.out.push_str("null");
        }
        self.out.push_str(",\"target\":");
        self.token(target.word);
        self.out.push_str(",\"write\":");
        self.out.push_str(boolean(Some(write)));
        self.out.push('}');
    }
}
