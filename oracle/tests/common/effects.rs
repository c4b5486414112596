//! What the oracle of effects shares with the product: the reader of command lines, and rows as data.

use hookc_oracle::effects::{self, Hole, Knowledge, Line, RedirectKind, Rows, Text};
use hookc_shell::{Command, Context, HoleKind, Redirect, Word, with_commands};

/// The rows of all programs.
#[allow(clippy::disallowed_methods, reason = "tests")]
pub(crate) fn rows() -> Rows {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shell/data/programs");
    let files = hookc_corpus::files(std::path::Path::new(folder));
    let toml = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    let read = |file: &std::path::PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        effects::programs(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
    };
    Rows(toml.flat_map(read).collect())
}

/// The rows, and what the vocabulary says about tools.
pub(crate) fn knowledge() -> Knowledge {
    let shipped = hookc_schema::vocab::roles().iter().map(|(tool, inputs)| (tool.clone(), inputs.clone()));
    Knowledge { rows: rows(), shipped: shipped.collect(), ..Knowledge::default() }
}

/// What a line starts, as plain data; nothing if it cannot be read.
pub(crate) fn line(text: &str, cwd: Option<&str>) -> Option<Line> {
    let context = Context { cwd, ..Context::default() };
    with_commands(text, &context, |commands| Line {
        commands: commands.iter().map(command).collect(),
        is_opaque: commands.opaque().next().is_some(),
        variables: commands
            .variables()
            .into_iter()
            .map(|variable| (variable.name.to_owned(), variable.is_exported))
            .collect(),
    })
    .ok()
}

pub(crate) const fn hole(kind: HoleKind) -> Hole {
    match kind {
        HoleKind::Text => Hole::Any,
        HoleKind::Name => Hole::Name,
        HoleKind::Char => Hole::Char,
    }
}

fn word(word: Word<'_>) -> effects::Word {
    let holes: Vec<(usize, usize, Hole)> =
        word.holes().map(|gap| (gap.range.start, gap.range.end, hole(gap.kind))).collect();
    effects::Word {
        text: Text::with_holes(word.text(), &holes),
        source: word.text().to_owned(),
        variables: word.holes().filter_map(|hole| hole.variable().map(str::to_owned)).collect(),
    }
}

fn command(command: Command<'_>) -> effects::Command {
    let directories: Vec<Option<String>> =
        command.cwd().paths().map(|path| path.map(str::to_owned)).collect();
    let near = command.redirects().map(|near| redirect(near, &directories, false));
    let inherited = command.inherited_redirects().map(|far| redirect(far, &directories, true));
    effects::Command {
        words: command.words().map(word).collect(),
        program: command.path().map(str::to_owned),
        env: command.env().map(|setting| (word(setting.name), word(setting.value))).collect(),
        redirects: near.chain(inherited).collect(),
        starter: command.starter().map(Command::number),
        runs: command.runs().map(Command::number).collect(),
        pipes_to: command.pipes_to().map(Command::number).collect(),
        inputs: Vec::new(),
        is_captured: command.is_captured(),
        has_more: command.has_more(),
        directories,
        is_either: command.cwd().is_either(),
    }
}

fn redirect(redirect: Redirect<'_>, directories: &[Option<String>], is_inherited: bool) -> effects::Redirect {
    use hookc_shell::RedirectKind as Shell;
    let kind = match redirect.kind() {
        Shell::Read => RedirectKind::Read,
        Shell::Write | Shell::Append => RedirectKind::Write,
        Shell::ReadWrite => RedirectKind::ReadWrite,
        Shell::HereDocument | Shell::HereString => RedirectKind::Here,
        Shell::Duplicate => RedirectKind::Duplicate,
    };
    let body = redirect.body().filter(|_| kind == RedirectKind::Here);
    effects::Redirect {
        kind,
        word: word(body.unwrap_or_else(|| redirect.word())),
        directories: directories.to_vec(),
        descriptor: redirect.descriptor(),
        is_inherited,
    }
}
