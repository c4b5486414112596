//! The input and the output of commands, and their redirections.

use super::arguments::Argument;
use super::commands::{Reader, likely, parsed};
use super::inputs::file;
use super::line::{Command, Redirect, RedirectKind, Word};
use super::model::{Deeds, Effect, Kind, Scheme};
use super::patch::{self, Change};
use super::place::resolve;
use super::roles::{Object, is_process};
use super::text::{Symbol, Text};

impl Reader<'_> {
    /// Files whose content is a part of what an argument sends: `curl -d "$(cat F)"`.
    pub(super) fn taken(&self, argument: &Argument, deeds: &Deeds) -> Vec<Effect> {
        let text = &argument.text;
        let is_text = match argument.role.as_str() {
            "DATA" => text.strip_prefix("@").is_none(),
            "FORM" => text.split_once('=').is_none_or(|(_, value)| !value.prefix().starts_with(['@', '<'])),
            "URL" => text.strip_prefix("file://").is_none() && !text.prefix().starts_with(['.', '/', '~']),
            // `dig $(base64 F).example`
            "HOST" => self.command.words.get(argument.at).is_some_and(is_within),
            _ => false,
        };
        let word = self.command.words.get(argument.at).filter(|_| is_text);
        let origins = word.map(|word| word.origins.as_slice()).unwrap_or_default();
        let is_origin = |effect: &&Effect| {
            let is_file = effect.scheme == Scheme::File && matches!(effect.kind, Kind::Read | Kind::Use);
            is_file && origins.iter().any(|at| effect.command == Some(self.number(*at)))
        };
        let command = Some(self.number(self.number));
        let send = |file: &Effect| Effect { kind: Kind::Send, is_implied: false, command, ..file.clone() };
        deeds.effects.iter().filter(is_origin).map(send).collect()
    }

    /// What is shown on a connection: what the command reads, the words that it prints, or something unknown.
    pub(super) fn output(&self, deeds: &Deeds) -> Vec<Effect> {
        let connects = |redirect: &Redirect| socket(&redirect.word.text).is_some();
        if self.command.program.is_none() && self.command.words.is_empty()
            || !self.command.output.as_ref().is_some_and(connects)
        {
            return Vec::new();
        }
        let is_read =
            |effect: &&Effect| effect.kind == Kind::Read && effect.command == Some(self.number(self.number));
        let reads = deeds.effects.iter().filter(is_read);
        let mut sent: Vec<Effect> =
            reads.map(|read| Effect { kind: Kind::Send, is_implied: false, ..read.clone() }).collect();
        if super::flow::prints(self.rows, self.command) == Some("words") {
            let operands = parsed(self.rows, self.command).arguments.operands.into_iter();
            let words = operands.map(|(_, text, _)| text).filter(|text| !text.has_hole());
            sent.extend(words.map(|text| self.effect(Kind::Send, Scheme::Posted, text)));
        } else if sent.is_empty() || self.is_fed() {
            sent.push(self.effect(Kind::Send, Scheme::File, Text::unknown("-")));
        }
        sent
    }

    pub(super) fn is_fed(&self) -> bool {
        let gets = |command: &Command| command.pipes_to.contains(&self.number);
        self.line.commands.iter().any(gets)
    }

    /// What a program does that sends its input.
    pub(super) fn input(&self) -> Vec<Effect> {
        if self.command.input.is_none() && !self.is_fed() { Vec::new() } else { self.standard_input() }
    }

    /// What a program sends of its input.
    pub(super) fn standard_input(&self) -> Vec<Effect> {
        let pipe = || vec![self.effect(Kind::Send, Scheme::File, Text::unknown("-"))];
        let Some(redirect) = &self.command.input else { return pipe() };
        let text = &redirect.word.text;
        match redirect.kind {
            RedirectKind::Here if text.literal().is_some() => {
                vec![self.effect(Kind::Send, Scheme::Posted, text.clone())]
            }
            RedirectKind::Here => pipe(),
            _ if is_process(text) => pipe(),
            _ if socket(text).is_some() => Vec::new(),
            _ => vec![self.effect(Kind::Send, Scheme::File, self.target(redirect))],
        }
    }

    /// What a patch on the line does, that of an operand or of the input; nothing if its files are unknown.
    pub(super) fn patched(
        &self,
        context: &Object<'_>,
        directories: &[Text],
        deeds: &Deeds,
    ) -> Option<Vec<Effect>> {
        let row = context.row;
        if row.text("stdin") != Some("PATCH") || row.text("outputs") != Some("here") {
            return None;
        }
        let roles = &context.parsed.roles;
        let operand = roles.iter().find(|argument| argument.role == "PATCH");
        let text =
            operand.map_or_else(|| self.input_text()?.literal(), |argument| argument.text.literal())?;
        let [directory] = directories else { return None };
        if directory.is_hole() {
            return None;
        }
        let into = roles.iter().rfind(|argument| argument.role == "INTO");
        let directory = into.map_or_else(|| directory.clone(), |into| resolve(directory, &into.text));
        let sections = patch::sections(&text);
        let changes =
            if sections.is_empty() { self.diff(context, &directory, &text, deeds) } else { sections };
        let effect = |(kind, path): &Change| self.effect(*kind, Scheme::File, file(path, &directory));
        (!changes.is_empty()).then(|| changes.iter().map(effect).collect())
    }

    /// The text that the command reads: its own here-document, or that of the only command in front of it, which prints
    /// nothing else.
    fn input_text(&self) -> Option<Text> {
        let here = |command: &Command| {
            let input = command.input.as_ref().filter(|redirect| redirect.kind == RedirectKind::Here);
            input.map(|redirect| redirect.word.text.clone())
        };
        let givers: Vec<&Command> =
            self.line.commands.iter().filter(|other| other.pipes_to.contains(&self.number)).collect();
        let printed = match givers.as_slice() {
            [giver] => {
                let arguments = parsed(self.rows, giver).arguments;
                let prints = arguments.row.as_ref().is_some_and(|row| row.text("prints") == Some("input"));
                here(giver).filter(|_| prints && arguments.operands.is_empty())
            }
            _ => None,
        };
        here(self.command).or(printed)
    }

    /// What a diff does whose paths have a known place.
    fn diff(&self, context: &Object<'_>, directory: &Text, text: &str, deeds: &Deeds) -> Vec<Change> {
        let strips = |name: &String| name == "p" || name == "strip";
        let given = context.parsed.given.iter().find(|given| given.names.iter().any(strips));
        let count = match given.and_then(|given| given.values.first()) {
            Some(value) => value.literal(),
            None => context.row.text("strip").map(str::to_owned),
        };
        let is_git = context.row.is("pathspecs") || context.program.is_some_and(|row| row.is("pathspecs"));
        // Paths of git are from the top of its repository.
        let is_top = deeds.anchors.project.is_some() && deeds.anchors.project == directory.literal();
        match count.and_then(|count| count.parse().ok()) {
            Some(dropped) if !is_git || is_top => patch::diff(text, Some(dropped)),
            _ => Vec::new(),
        }
    }

    fn target(&self, redirect: &Redirect) -> Text {
        resolve(&likely(&redirect.directories), &redirect.word.text)
    }

    pub(super) fn redirect(&self, redirect: &Redirect) -> Vec<Effect> {
        if is_process(&redirect.word.text) {
            return Vec::new();
        }
        let path = self.target(redirect);
        let (reads, writes) = match redirect.kind {
            RedirectKind::Read => (true, false),
            RedirectKind::Write => (false, true),
            RedirectKind::ReadWrite => (true, true),
            RedirectKind::Here | RedirectKind::Duplicate => return Vec::new(),
        };
        if let Some(host) = socket(&redirect.word.text) {
            let mut effects = vec![self.effect(Kind::Contact, Scheme::Host, host)];
            if writes && redirect.descriptor.is_none() {
                effects.push(self.effect(Kind::Send, Scheme::File, Text::unknown("-")));
            }
            return effects;
        }
        let kinds = [(reads, Kind::Read), (writes, Kind::Write)];
        let effect = |(is, kind): (bool, Kind)| is.then(|| self.effect(kind, Scheme::File, path.clone()));
        kinds.into_iter().filter_map(effect).collect()
    }
}

/// Whether an argument says that the input is sent.
pub(super) fn sends_input(argument: &Argument) -> bool {
    let text = argument.text.literal().unwrap_or_default();
    let is_input = |text: &str| matches!(text, "-" | "/dev/stdin" | "/dev/fd/0");
    match argument.role.as_str() {
        "SEND" => is_input(&text),
        "DATA" => text.strip_prefix('@').is_some_and(is_input),
        "FORM" => {
            text.split_once("=@").or_else(|| text.split_once("=<")).is_some_and(|(_, file)| is_input(file))
        }
        _ => false,
    }
}

/// The host of a file that bash connects with.
fn socket(path: &Text) -> Option<Text> {
    let rest = path.strip_prefix("/dev/tcp/").or_else(|| path.strip_prefix("/dev/udp/"))?;
    rest.split('/').into_iter().next().filter(|host| !host.0.is_empty())
}

/// Whether text that is no address of a person follows an unknown part.
fn is_within(word: &Word) -> bool {
    !word.source.contains('@')
        && !word.origins.is_empty()
        && matches!(word.text.0.last(), Some(Symbol::Char(_)))
}
