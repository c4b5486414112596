//! Effects of the words of a command, by their roles.

use super::collector::{Collector, Marks};
use super::line::Line;
use super::text::Stored;
use super::{Kind, Scheme, flow, objects, redirects, remotes, targets};
use crate::arguments::{Argument, Reading};
use crate::programs::{Attribute, Role};
use crate::token::long;
use crate::{Command, HoleKind, Redirect, Word};

/// The roles of the words of a command, which are being applied.
pub(super) struct Roles<'r, 'a, 'w> {
    pub(super) line: &'r Line<'w>,
    pub(super) command: Command<'w>,
    pub(super) reading: &'r Reading<'w>,
    pub(super) out: &'r mut Collector<'a>,
    pub(super) marks: Marks,
    /// The directories that its paths are from.
    pub(super) directories: Vec<Option<Stored>>,
    /// Some machine is named.
    pub(super) has_host: bool,
    /// What it reads, uses or moves.
    pub(super) sources: Vec<Stored>,
    /// Where it writes what has another name.
    pub(super) into: Option<Stored>,
    /// A file that it writes is named.
    pub(super) has_output: bool,
    /// It writes to an address.
    pub(super) has_remote_output: bool,
    /// Its options say that nothing changes.
    pub(super) is_dry: bool,
    /// Its operands are directories with everything in them.
    is_tree: bool,
    /// The values of options that narrow what is below a directory: `find -name`.
    narrowing: Vec<Word<'w>>,
    /// The files that its starter names, if that was asked for; none if they are unknown.
    listed: Option<Option<Vec<flow::Listed>>>,
}

/// Adds the effects of the words of a command.
pub(super) fn effects(line: &Line<'_>, command: Command<'_>, reading: &Reading<'_>, out: &mut Collector<'_>) {
    let marks = Marks::for_command(line.base + command.number());
    let directories = line.likely(command, out);
    let mut roles = Roles {
        line,
        command,
        reading,
        out,
        marks,
        directories,
        has_host: false,
        sources: Vec::new(),
        into: None,
        has_output: false,
        has_remote_output: false,
        is_dry: reading.is_dry(),
        is_tree: reading.has(Attribute::Tree),
        narrowing: narrowing(command, reading),
        listed: None,
    };
    let first = roles.out.actions.effects.len();
    roles.globs();
    for argument in &reading.arguments {
        roles.argument(argument);
    }
    roles.added();
    roles.input_code();
    targets::links(&mut roles);
    targets::copies(&mut roles);
    targets::outputs(&mut roles);
    remotes::pushes(&mut roles);
    remotes::transfers(&mut roles);
    roles.implied();
    remotes::uploads(&mut roles, first);
    roles.hosts();
    roles.attributes();
}

/// What a role does with a path.
pub(super) const fn kinds(role: Role) -> &'static [Kind] {
    match role {
        Role::Read => &[Kind::Read],
        Role::Use => &[Kind::Use],
        Role::List => &[Kind::List],
        Role::Write => &[Kind::Write],
        Role::Edit => &[Kind::Use, Kind::Write],
        Role::Delete => &[Kind::Delete],
        Role::Move => &[Kind::Use, Kind::Delete],
        Role::Send => &[Kind::Read, Kind::Send],
        _ => &[],
    }
}

impl<'w> Roles<'_, '_, 'w> {
    /// The object of an argument: its word, or a part of it.
    pub(super) fn object(&mut self, argument: &Argument<'w>) -> Stored {
        let word = self.out.word(argument.word);
        let is_whole = argument.range == (0..argument.word.text().len());
        if is_whole { word } else { self.part(word, argument.range.clone()) }
    }

    /// A part of a text.
    pub(super) fn part(&mut self, text: Stored, range: std::ops::Range<usize>) -> Stored {
        self.out.draft.clear();
        self.out.draft.push_range(self.out.actions.store.get(text), range);
        self.out.actions.store.push(self.out.draft.text())
    }

    fn argument(&mut self, argument: &Argument<'w>) {
        let Some(role) = argument.role else { return };
        if let Some(scheme) = argument.scheme.and_then(scheme) {
            let object = self.object(argument);
            return kinds(role).iter().for_each(|kind| {
                self.out.effect(self.shown(*kind), scheme, object, self.marks);
            });
        }
        if argument.attributes.has(Attribute::Write) {
            self.files(argument, &[Kind::Write]);
        }
        if argument.attributes.has(Attribute::Package) {
            self.package(argument);
        }
        match role {
            Role::Into => {
                let object = self.object(argument);
                self.into = Some(object);
            }
            Role::Data | Role::Form => self.data(argument, role == Role::Form),
            Role::Url => self.address(argument),
            Role::Host => self.host(argument),
            Role::SetRef => self.local_ref(argument, Kind::Write),
            Role::DelRef => self.local_ref(argument, Kind::Delete),
            Role::RefSpec => self.fetched(argument),
            Role::Package => self.package(argument),
            Role::Declared => self.declared(argument),
            Role::Script => {
                self.files(argument, &[if self.command.is_traced() { Kind::Read } else { Kind::Use }]);
                self.code(argument);
            }
            Role::Load => {
                if argument.word.text().contains(['/', '.']) {
                    self.files(argument, &[Kind::Use]);
                }
                self.code(argument);
            }
            Role::Setting => self.code(argument),
            Role::Code | Role::Expr if self.reading.program.is_some_and(|program| program.interpreter) => {
                self.opened(argument.word);
            }
            role => self.named_files(argument, role),
        }
    }

    /// Adds the effects of a role on the files that an argument names.
    fn named_files(&mut self, argument: &Argument<'w>, role: Role) {
        let is_role = |key: &str| self.reading.text(key) == Some(role.name());
        let kinds = match role {
            Role::Read if is_role("hidden") => &[Kind::Use][..],
            Role::Edit if is_role("shows") => &[Kind::Read, Kind::Write],
            Role::Use if is_role("shows") => &[Kind::Read],
            role => kinds(role),
        };
        // `curl -b NAME=VALUE`
        let text = argument.word.text().get(argument.range.clone()).unwrap_or_default();
        let is_text = role == Role::Use && argument.flag.is_some() && text.contains('=');
        if !kinds.is_empty() && !is_text {
            self.files(argument, kinds);
        }
    }

    /// Adds effects on the file of an argument.
    pub(super) fn files(&mut self, argument: &Argument<'w>, kinds: &[Kind]) {
        let word = argument.word;
        let is_source = kinds.iter().any(|kind| matches!(kind, Kind::Read | Kind::Use));
        let is_tree = argument.flag.is_none() && self.is_tree;
        if flow::is_given(self.command, word) {
            return self.listed(kinds);
        }
        let sends = kinds.contains(&Kind::Send);
        if word.literal().is_some_and(|text| text == "-" || sends && redirects::is_input(text)) {
            if sends && !self.is_dry {
                redirects::send_input(self.command, self.marks, self.out);
            }
            return self.has_output |= kinds.contains(&Kind::Write);
        }
        if word.text().is_empty() || is_process(word) {
            return;
        }
        let object = self.object(argument);
        if is_source && argument.flag.is_none() {
            self.sources.push(object);
        }
        self.has_output |= kinds.contains(&Kind::Write) && argument.flag.is_some();
        let Some(object) = self.local(object, kinds) else { return };
        let object = if argument.flag.is_none() { self.pathspec(object) } else { object };
        self.paths(object, kinds, is_tree);
    }

    /// Adds effects on a path from the directories of the command.
    pub(super) fn paths(&mut self, path: Stored, kinds: &[Kind], is_tree: bool) {
        for number in 0..self.directories.len() {
            let directory = self.directories.get(number).copied().flatten();
            self.out.resolve(directory, path);
            self.built(kinds, is_tree, self.marks);
        }
    }

    /// Those of some kinds that happen if nothing changes, and if nobody sees the output.
    fn possible(&self, kinds: &[Kind]) -> Vec<Kind> {
        let changes = |kind: &&Kind| matches!(kind, Kind::Write | Kind::Delete | Kind::Send);
        let kinds = kinds.iter().filter(|kind| !(self.is_dry && changes(kind)));
        kinds.map(|kind| self.line.read(self.command, *kind)).collect()
    }

    /// Adds effects on the path that was built.
    pub(super) fn built(&mut self, kinds: &[Kind], is_tree: bool, marks: Marks) {
        let kinds = self.possible(kinds);
        if !is_tree || self.narrowing.is_empty() {
            return self.out.file(&kinds, marks.tree(is_tree));
        }
        let root = self.out.actions.store.push(self.out.draft.text());
        for name in &self.narrowing {
            self.out.draft.clear();
            self.out.draft.push(self.out.actions.store.get(root));
            self.out.draft.push_below(name.text());
            self.out.file(&kinds, marks);
        }
    }

    /// Whether operands are paths of a repository.
    pub(super) fn is_pathspec(&self) -> bool {
        self.reading.inherited("pathspecs") == Some("true")
    }

    /// The path of what git reads: `REV:PATH`, `:(top)PATH`.
    fn pathspec(&mut self, object: Stored) -> Stored {
        if !self.is_pathspec() {
            return object;
        }
        let text = self.out.actions.text(object);
        let end = text.text.len();
        let from = match text.text.as_bytes() {
            [b':', b'(', ..] => text.text.find(')').map_or(end, |close| close + 1),
            [b':', b'!' | b'^', ..] => end,
            [b':', b'/', ..] => 2,
            _ => text.text.rfind(':').map_or(0, |colon| colon + 1),
        };
        if from == 0 { object } else { self.part(object, from..end) }
    }

    /// Adds effects on the files that another command names.
    fn listed(&mut self, kinds: &[Kind]) {
        match self.names() {
            Some(files) => files.iter().for_each(|file| self.given(*file, kinds)),
            None => {
                self.out.draft.clear();
                self.out.draft.push_hole("{}", HoleKind::Text);
                self.built(kinds, false, self.marks);
            }
        }
    }

    /// Adds effects on a file that the starter names.
    fn given(&mut self, file: flow::Listed, kinds: &[Kind]) {
        if file.is_word {
            return self.paths(file.object, kinds, false);
        }
        self.out.draft.clear();
        self.out.draft.push(self.out.actions.store.get(file.object));
        // What is below it is narrowed already.
        let is_narrow = self.out.draft.text().holes.iter().any(|gap| gap.kind == HoleKind::Names);
        let kinds = self.possible(kinds);
        self.out.file(&kinds, self.marks.tree(file.is_tree && !is_narrow));
    }

    /// The operands that `xargs` adds, and those in the file of an option: `tar -T FILE`.
    fn added(&mut self) {
        if !self.command.has_more() && !self.reading.has_option(Attribute::Names) {
            return;
        }
        match self.reading.next_role() {
            Some(Role::Url | Role::Host) => self.listed_hosts(),
            role => {
                let kinds = role.map(kinds).unwrap_or_default();
                if !kinds.is_empty() {
                    self.listed(kinds);
                }
            }
        }
    }

    /// The command whose input names operands of this one: the one that starts it, or itself.
    fn lister(&self) -> Option<Command<'w>> {
        let is_list = |argument: &&Argument<'_>| argument.attributes.has(Attribute::Names);
        let list = self.reading.arguments.iter().find(is_list).map(|argument| argument.word);
        let is_input = list.is_none_or(|list| list.literal().is_some_and(redirects::is_input));
        let is_own = !self.command.has_more() && is_input && self.reading.has_option(Attribute::Names);
        if is_own { Some(self.command) } else { self.command.starter() }
    }

    /// Contacts the machines that another command names.
    fn listed_hosts(&mut self) {
        let names = self.names();
        for file in names.iter().flatten().filter(|file| file.is_word) {
            self.address_of(file.object);
        }
        if names.iter().flatten().next().is_none_or(|file| !file.is_word) {
            self.has_host = true;
            self.out.draft.clear();
            self.out.draft.push_hole("{}", HoleKind::Text);
            self.out.drafted(Kind::Contact, Scheme::Host, self.marks);
        }
    }

    /// What another command names; none if that is unknown.
    fn names(&mut self) -> Option<Vec<flow::Listed>> {
        if self.listed.is_none() {
            let lister = self.lister();
            self.listed = Some(lister.and_then(|lister| flow::listed(self.line, lister, self.out)));
        }
        self.listed.clone().flatten()
    }

    /// The directories that patterns of files list.
    fn globs(&mut self) {
        // The `?` of an address is no pattern of files that anybody means.
        let is_address = |word: &Word<'_>| word.text().contains("://");
        let words = self.command.words().skip(1).filter(|word| word.is_pattern() && !is_address(word));
        for word in words {
            let object = self.out.word(word);
            for number in 0..self.directories.len() {
                let directory = self.directories.get(number).copied().flatten();
                self.out.resolve(directory, object);
                self.out.draft.leave_glob();
                self.out.file(&[Kind::List], self.marks);
            }
        }
    }

    fn code(&mut self, argument: &Argument<'w>) {
        let object = self.object(argument);
        self.out.effect(Kind::Code, Scheme::Code, object, self.marks);
    }

    fn local_ref(&mut self, argument: &Argument<'w>, kind: Kind) {
        if self.is_dry {
            return;
        }
        let object = self.object(argument);
        let range = 0..self.out.actions.text(object).text.len();
        self.named_ref(object, range, kind);
    }

    fn named_ref(&mut self, text: Stored, range: std::ops::Range<usize>, kind: Kind) {
        self.out.draft.clear();
        self.out.draft.push_ref(self.out.actions.store.get(text), range);
        self.out.drafted(kind, Scheme::Ref, self.marks);
    }

    fn fetched(&mut self, argument: &Argument<'w>) {
        let object = self.object(argument);
        if let Some(range) = objects::fetched(self.out.actions.text(object)).filter(|_| !self.is_dry) {
            self.named_ref(object, range, Kind::Write);
        }
    }

    /// A package: `MANAGER:SPEC`, an address, or a directory here.
    fn package(&mut self, argument: &Argument<'w>) {
        let object = self.object(argument);
        let text = self.out.actions.text(object);
        if objects::is_path(text) || text.text.starts_with("file:") {
            return self.paths(object, &[Kind::Use], true);
        }
        let address = objects::package_address(text);
        let is_short =
            !text.text.contains("://") && self.reading.is_address(text.as_literal().unwrap_or_default());
        if !self.is_dry {
            self.install(object, is_short);
        }
        match address {
            Some(0) => self.contact(object),
            Some(start) => {
                let end = self.out.actions.text(object).text.len();
                let address = self.part(object, start..end);
                self.contact(address);
            }
            None => {}
        }
    }

    fn install(&mut self, object: Stored, is_short: bool) {
        let registry = self.reading.inherited("hosts").unwrap_or_default().split(' ');
        let registry = registry.filter_map(|host| host.strip_prefix("registry:")).next();
        let manager =
            registry.or_else(|| self.reading.program.map(|program| program.kind)).unwrap_or_default();
        self.out.draft.clear();
        self.out.draft.push_str(manager);
        self.out.draft.push_str(if is_short { ":git://" } else { ":" });
        self.out.draft.push(self.out.actions.store.get(object));
        self.out.drafted(Kind::Install, Scheme::Package, self.marks);
    }

    /// A package that is declared, or the file that declares packages.
    fn declared(&mut self, argument: &Argument<'w>) {
        if argument.word.text().contains("://") {
            self.package(argument)
        } else {
            self.files(argument, &[Kind::Use])
        }
    }

    /// Files that are opened in code of another language.
    fn opened(&mut self, code: Word<'w>) {
        for opened in super::foreign::opened(code.text()) {
            let object = self.out.actions.store.literal(opened.name);
            self.paths(object, opened.kinds, opened.is_tree);
        }
    }

    /// Files that are opened in code that an interpreter reads, as far as it is on the line: a here-document, a
    /// here-string, and what the commands that it gets the code from have as words or read themselves. Code that several
    /// of them read counts for the first.
    fn input_code(&mut self) {
        let is_code = |argument: &Argument<'_>| {
            argument.role.is_some_and(|role| role.starts() || role.is_code()) && argument.word.text() != "-"
        };
        if !self.reading.program.is_some_and(|program| program.interpreter) {
            return;
        }
        let body = |command: Command<'w>| command.stream(0).and_then(Redirect::body);
        let reads_input = !self.reading.arguments.iter().any(is_code);
        let input = Some(self.command).filter(|_| reads_input).and_then(body);
        let (line, command) = (self.line, self.command);
        let first = command.runs().filter(|giver| line.reads_code_first(command, *giver));
        let given = first.flat_map(|giver| giver.words().skip(1).chain(body(giver)));
        for text in input.into_iter().chain(given) {
            self.opened(text);
        }
    }

    /// What the program does without operands.
    fn implied(&mut self) {
        let Some(list) = self.reading.text("implied").filter(|_| !self.command.has_more()) else { return };
        let operands = || self.reading.arguments.iter().filter(|argument| argument.flag.is_none());
        let starts = |role: Role| role.starts() && !role.is_code();
        let is_file = |role: Role| !kinds(role).is_empty() || role == Role::Declared;
        let has_file =
            operands().any(|argument| argument.role.is_some_and(|role| starts(role) || is_file(role)));
        let has_name =
            operands().any(|argument| argument.scheme.is_some() || argument.role.is_some_and(starts));
        for (role, object) in list.split(", ").filter_map(|implied| implied.split_once(' ')) {
            let Some(role) = Role::from_name(role) else { continue };
            let marks = self.marks.implied();
            if let Some((scheme, name)) =
                object.split_once(':').and_then(|(name, rest)| Some((scheme(name)?, rest)))
            {
                for kind in kinds(role).iter().filter(|_| !has_name) {
                    self.implied_name(self.shown(*kind), scheme, name, marks);
                }
                continue;
            }
            if has_file {
                continue;
            }
            // A search reads what is piped into it.
            if role == Role::Read
                && self.line.is_fed(self.command)
                && !self.reading.has_option(Attribute::Tree)
            {
                continue;
            }
            let object = self.out.actions.store.literal(object);
            for number in 0..self.directories.len() {
                let directory = self.directories.get(number).copied().flatten();
                self.out.resolve(directory, object);
                self.built(kinds(role), self.is_tree, marks);
            }
        }
    }

    /// A read of what is no file, which is a use if a substitution takes the output.
    fn shown(&self, kind: Kind) -> Kind {
        if kind == Kind::Read && !self.line.is_shown(self.command) { Kind::Use } else { kind }
    }

    fn implied_name(&mut self, kind: Kind, scheme: Scheme, name: &str, marks: Marks) {
        self.out.draft.clear();
        match name {
            "*" => self.out.draft.push_hole("*", HoleKind::Text),
            name => self.out.draft.push_str(name),
        }
        self.out.drafted(kind, scheme, marks);
    }

    /// The machines that the program contacts unless a word names another one.
    fn hosts(&mut self) {
        if self.has_host {
            return;
        }
        for host in self.reading.inherited("hosts").unwrap_or_default().split_ascii_whitespace() {
            self.out.named(Kind::Contact, Scheme::Host, host, self.marks.implied());
        }
    }

    /// What options do that name nothing, and what is done with the input.
    fn attributes(&mut self) {
        if self.reading.has(Attribute::Code) {
            self.out.named(Kind::Code, Scheme::Code, "", self.marks);
        }
    }
}

/// The values of options that narrow what is below a directory.
fn narrowing<'w>(command: Command<'w>, reading: &Reading<'w>) -> Vec<Word<'w>> {
    let Some(list) = reading.text("narrow") else { return Vec::new() };
    let is_narrow = |flag: &str| list.split([' ', '/']).any(|name| name.trim_start_matches('-') == flag);
    let negates = |word: Word<'_>| matches!(word.text(), "!" | "-not" | "-o" | "-or" | "," | "-prune");
    if command.words().any(negates) {
        return Vec::new();
    }
    let flags = reading.flags.iter().filter(|flag| !flag.is_alias && is_narrow(flag.name));
    flags.filter_map(|flag| flag.value).collect()
}

/// The scheme of a prefix of rows.
pub(super) fn scheme(name: &str) -> Option<Scheme> {
    match name {
        "env" => Some(Scheme::Variable),
        "ref" => Some(Scheme::Ref),
        "store" => Some(Scheme::Store),
        _ => None,
    }
}

/// Whether a word is a command whose output is read like a file: `<(x)`.
pub(super) fn is_process(word: Word<'_>) -> bool {
    word.holes().next().is_some_and(|hole| {
        hole.range.start == 0 && ["<(", ">(", "=("].into_iter().any(|start| hole.text.starts_with(start))
    })
}

/// Whether a range of a text has a hole.
pub(super) fn has_hole(text: super::Text<'_>, range: &std::ops::Range<usize>) -> bool {
    text.holes.iter().any(|gap| long(gap.from) < range.end && long(gap.to) > range.start)
}
