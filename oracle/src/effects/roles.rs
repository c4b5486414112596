//! What the roles of arguments mean.

use super::arguments::{Argument, Arguments};
use super::model::{Kind, Scheme};
use super::place::resolve;
use super::refs::{branch, fetched};
use super::rows::{Row, has_glob};
use super::text::{Hole, Source, Symbol, Text};
use super::transfers::{elsewhere, remote};

/// What an argument is a part of.
pub(super) struct Object<'a> {
    pub(super) row: &'a Row,
    pub(super) program: Option<&'a Row>,
    pub(super) parsed: &'a Arguments<'a>,
    pub(super) directory: &'a Text,
}

pub(super) type Found = (Kind, Scheme, Text);

/// The effects of an argument.
pub(super) fn objects(context: &Object<'_>, argument: &Argument) -> Vec<Found> {
    let text = &argument.text;
    if let Some((role, scheme)) = argument.role.split_once(':') {
        return with_scheme(argument, role, scheme);
    }
    let path = || resolve(context.directory, &pathspec(context, argument));
    let is_no_file = text.0.is_empty() || is_process(text);
    let mut contact = Vec::new();
    if let Some(scheme) = address_scheme(text).filter(|_| !is_pathspec(context)) {
        if scheme.eq_ignore_ascii_case("file") {
            let path = Argument { text: text.skip("file://".len()), ..argument.clone() };
            let is_path =
                super::commands::PATHS.contains(&argument.role.as_str()) && argument.role != "REMOTE";
            if is_path {
                return objects(context, &path);
            }
            if matches!(argument.role.as_str(), "SCRIPT" | "LOAD") {
                let used = objects(context, &path).into_iter().filter(|(kind, ..)| *kind != Kind::Code);
                return used.chain([(Kind::Code, Scheme::Code, text.clone())]).collect();
            }
        }
        contact.push((Kind::Contact, Scheme::Host, host(text)));
    }
    let is_here =
        contact.is_empty() || text.split('/').iter().any(|name| name.literal().as_deref() == Some(".."));
    let file = |kinds: &[Kind]| match is_no_file {
        true => Vec::new(),
        false => {
            let here = kinds.iter().filter(|_| is_here).map(|kind| (*kind, Scheme::File, path()));
            contact.iter().cloned().chain(here).collect()
        }
    };
    if is_standard(text) && argument.role != "DATA" {
        return Vec::new();
    }
    let is_option = argument.option.is_some();
    // `curl -b NAME=VALUE`
    if argument.role == "USE" && is_option && text.written().contains('=') {
        return Vec::new();
    }
    if let Some(kinds) = of_file(&argument.role) {
        return file(kinds);
    }
    match argument.role.as_str() {
        // A name without a place is no file here.
        "LOAD" if !text.written().contains(['/', '.']) => vec![(Kind::Code, Scheme::Code, text.clone())],
        "SCRIPT" | "LOAD" => {
            let mut found = file(&[Kind::Use]);
            found.push((Kind::Code, Scheme::Code, text.clone()));
            found
        }
        "SETTING" => vec![(Kind::Code, Scheme::Code, text.clone())],
        "DECLARED" if !text.prefix().contains("://") => file(&[Kind::Use]),
        "DATA" => data(context, text),
        "FORM" => form(context, text),
        "URL" => url(context, text),
        "HOST" => vec![(Kind::Contact, Scheme::Host, host(text))],
        "REMOTENAME" => remote_name(text),
        "REMOTE" => remote(context, argument),
        "SETREF" => vec![(Kind::Write, Scheme::Ref, branch(text))],
        "DELREF" => vec![(Kind::Delete, Scheme::Ref, branch(text))],
        "REFSPEC" => fetched(text),
        "PACKAGE" | "DECLARED" => package(context, text),
        _ => Vec::new(),
    }
}

/// What is done with a file of a role.
fn of_file(role: &str) -> Option<&'static [Kind]> {
    Some(match role {
        "READ" => &[Kind::Read],
        "USE" => &[Kind::Use],
        "LIST" => &[Kind::List],
        "WRITE" => &[Kind::Write],
        "EDIT" => &[Kind::Use, Kind::Write],
        "DELETE" => &[Kind::Delete],
        "MOVE" => &[Kind::Use, Kind::Delete],
        "SEND" => &[Kind::Read, Kind::Send],
        _ => return None,
    })
}

/// The effects of an argument that is a variable, a branch or an entry of a store.
fn with_scheme(argument: &Argument, role: &str, scheme: &str) -> Vec<Found> {
    let scheme = match scheme {
        "env" => Scheme::Variable,
        "ref" => Scheme::Ref,
        _ => Scheme::Store,
    };
    let kinds = of_file(role).unwrap_or_default().iter();
    kinds.map(|kind| (*kind, scheme, argument.text.clone())).collect()
}

/// The effects of an implied object, which can have a scheme.
pub(super) fn named(context: &Object<'_>, argument: &Argument) -> Vec<Found> {
    let scheme = |name: &str, scheme: Scheme| Some((argument.text.strip_prefix(name)?, scheme));
    let found = scheme("env:", Scheme::Variable)
        .or_else(|| scheme("store:", Scheme::Store))
        .or_else(|| scheme("ref:", Scheme::Ref));
    let Some((text, scheme)) = found else { return objects(context, argument) };
    let text = Text(
        text.0
            .iter()
            .map(|symbol| {
                if *symbol == Symbol::Char('*') { Symbol::Hole(Hole::Any, Source::new("*")) } else { *symbol }
            })
            .collect(),
    );
    objects(context, argument).into_iter().map(|(kind, ..)| (kind, scheme, text.clone())).collect()
}

/// The scheme of an address. One letter is a drive.
pub(super) fn address_scheme(text: &Text) -> Option<String> {
    let start = text.prefix();
    let (scheme, _) = start.split_once("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    (!scheme.is_empty() && scheme.chars().all(is_scheme)).then(|| scheme.to_owned())
}

/// Whether operands are paths of a repository.
fn is_pathspec(context: &Object<'_>) -> bool {
    context.row.is("pathspecs") || context.program.is_some_and(|row| row.is("pathspecs"))
}

/// What a command sends that writes to an address: what it reads.
pub(super) fn uploads(
    context: &Object<'_>,
    effects: &[super::model::Effect],
) -> Option<Vec<super::model::Effect>> {
    let is_output = |argument: &&Argument| matches!(argument.role.as_str(), "WRITE" | "EDIT");
    let is_address = |argument: &Argument| {
        address_scheme(&argument.text).is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file"))
    };
    if is_pathspec(context) || !context.parsed.roles.iter().filter(is_output).any(is_address) {
        return None;
    }
    let is_source = |effect: &&super::model::Effect| {
        effect.scheme == Scheme::File && matches!(effect.kind, Kind::Read | Kind::Use)
    };
    let send = |effect: &super::model::Effect| super::model::Effect {
        kind: Kind::Send,
        is_implied: false,
        ..effect.clone()
    };
    Some(effects.iter().filter(is_source).map(send).collect())
}

/// The path of what git reads: `REV:PATH`, `:(top)PATH`.
fn pathspec(context: &Object<'_>, argument: &Argument) -> Text {
    let text = argument.text.clone();
    if !is_pathspec(context) || argument.option.is_some() {
        return text;
    }
    let colon = text.0.iter().rposition(|symbol| *symbol == Symbol::Char(':'));
    let close = text.0.iter().position(|symbol| *symbol == Symbol::Char(')'));
    match (text.prefix().as_str(), colon) {
        (start, _) if start.starts_with(":(") => close.map_or_else(Text::default, |at| text.skip(at + 1)),
        (start, _) if start.starts_with(":!") || start.starts_with(":^") => Text::default(),
        (start, _) if start.starts_with(":/") => text.skip(2),
        (_, Some(at)) => text.skip(at + 1),
        (_, None) => text,
    }
}

/// A command whose output is read like a file: `<(x)`.
pub(super) fn is_process(text: &Text) -> bool {
    let source = text.written();
    matches!(text.0.first(), Some(Symbol::Hole(..)))
        && ["<(", ">(", "=("].iter().any(|start| source.starts_with(start))
}

/// `-`: the standard input or output.
pub(super) fn is_standard(text: &Text) -> bool {
    text.literal().as_deref() == Some("-")
}

pub(super) fn last(path: &Text) -> Text {
    path.split('/').into_iter().rfind(|name| !name.0.is_empty()).unwrap_or_default()
}

fn data(context: &Object<'_>, text: &Text) -> Vec<Found> {
    match text.strip_prefix("@") {
        Some(path) if is_standard(&path) => vec![(Kind::Send, Scheme::File, Text::unknown("-"))],
        Some(path) => sent(context, &path),
        None => vec![(Kind::Send, Scheme::Posted, text.clone())],
    }
}

fn form(context: &Object<'_>, text: &Text) -> Vec<Found> {
    let value = text.split_once('=').map_or_else(|| text.clone(), |(_, value)| value);
    match value.strip_prefix("@").or_else(|| value.strip_prefix("<")) {
        Some(paths) => {
            let files = paths.split(',').into_iter().filter_map(|path| path.split(';').into_iter().next());
            files.flat_map(|path| sent(context, &path)).collect()
        }
        None => vec![(Kind::Send, Scheme::Posted, text.clone())],
    }
}

fn sent(context: &Object<'_>, path: &Text) -> Vec<Found> {
    let path = resolve(context.directory, path);
    vec![(Kind::Read, Scheme::File, path.clone()), (Kind::Send, Scheme::File, path)]
}

/// The path of an address of a file here.
pub(super) fn local(address: &Text, directory: &Text) -> Option<Text> {
    let scheme = "file://";
    let start = address.prefix().get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    start.then(|| resolve(directory, &address.skip(scheme.len())))
}

/// An address: its host, and a file that is downloaded to the name at its end.
fn url(context: &Object<'_>, text: &Text) -> Vec<Found> {
    if let Some(path) = local(text, context.directory) {
        return vec![(Kind::Read, Scheme::File, path)];
    }
    if text.prefix().starts_with(['.', '/', '~']) {
        return vec![(Kind::Use, Scheme::File, resolve(context.directory, text))];
    }
    let mut found = vec![(Kind::Contact, Scheme::Host, host(text))];
    let options = &context.row.options;
    let has_option =
        options.iter().any(|options| options.attributes.iter().any(|listed| listed == "download"));
    let is_named =
        context.parsed.roles.iter().any(|argument| argument.role == "WRITE" && argument.option.is_some());
    let is_always = context.row.text("outputs") == Some("url") && !has_option && !is_named;
    if has_attribute(context, "download") || is_always {
        let into = context.parsed.roles.iter().find(|argument| argument.role == "INTO");
        let into = into.map_or_else(|| Text::from("."), |into| into.text.clone());
        let path = into.followed_by(&Text::from("/")).followed_by(&downloaded(text));
        found.push((Kind::Write, Scheme::File, resolve(context.directory, &path)));
    }
    found
}

/// The name of a file that is downloaded.
fn downloaded(address: &Text) -> Text {
    let start = address.prefix().find("://").map_or(0, |at| at + 3);
    let ends = |symbol: &Symbol| matches!(symbol, Symbol::Char('?' | '#'));
    let path = Text(address.skip(start).0.into_iter().take_while(|symbol| !ends(symbol)).collect());
    let name = path.split('/').into_iter().skip(1).next_back().unwrap_or_default();
    if name.0.is_empty() { Text(vec![Symbol::Hole(Hole::Name, Source::new("index.html"))]) } else { name }
}

/// What is written in a directory without a word for each file.
pub(super) fn outputs(context: &Object<'_>) -> Vec<Text> {
    let roles = &context.parsed.roles;
    let into = roles.iter().find(|argument| argument.role == "INTO").map(|into| into.text.clone());
    let here = into.clone().unwrap_or_else(|| Text::from("."));
    let paths = match context.row.text("outputs").unwrap_or_default() {
        "here" | "unpacked" => vec![here],
        "clone" if into.is_some() => vec![here],
        "clone" => {
            let addresses = roles.iter().filter(|argument| argument.role == "URL");
            addresses.map(|address| cloned(&address.text)).collect()
        }
        _ => Vec::new(),
    };
    paths.iter().map(|path| resolve(context.directory, path)).collect()
}

/// The directory of a clone.
fn cloned(address: &Text) -> Text {
    let mut symbols = address.0.clone();
    while symbols.last() == Some(&Symbol::Char('/')) {
        symbols.pop();
    }
    let name = symbols.rsplit(|symbol| matches!(symbol, Symbol::Char('/' | ':'))).next().unwrap_or_default();
    let git: Vec<Symbol> = ".git".chars().map(Symbol::Char).collect();
    Text(name.strip_suffix(git.as_slice()).unwrap_or(name).to_vec())
}

/// The host of an address, without a user and a port.
pub(super) fn host(text: &Text) -> Text {
    let literal = text.prefix();
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let scheme = literal.split_once("://").map(|(scheme, _)| scheme);
    let rest = match scheme.filter(|scheme| !scheme.is_empty() && scheme.chars().all(is_scheme)) {
        Some(scheme) => text.skip(scheme.len() + 3),
        None => text.clone(),
    };
    let ends = |symbol: &Symbol| matches!(symbol, Symbol::Char('/' | '?' | '#' | '\\'));
    let authority: Vec<Symbol> = rest.0.iter().copied().take_while(|symbol| !ends(symbol)).collect();
    // A hole can contain the end of a host.
    if authority.iter().any(|symbol| matches!(symbol, Symbol::Hole(..))) {
        return Text::unknown(&Text(authority).written());
    }
    let after_user = authority.rsplit(|symbol| *symbol == Symbol::Char('@')).next().unwrap_or_default();
    if after_user.first() == Some(&Symbol::Char('[')) {
        let inner = after_user.iter().skip(1).take_while(|symbol| **symbol != Symbol::Char(']'));
        return Text(inner.copied().collect());
    }
    Text(after_user.iter().take_while(|symbol| **symbol != Symbol::Char(':')).copied().collect())
}

fn remote_name(text: &Text) -> Vec<Found> {
    let host = match elsewhere(text) {
        Some((host, _)) => host,
        None => return Vec::new(),
    };
    vec![(Kind::Contact, Scheme::Host, host)]
}

/// Whether an option of the command has an attribute, unless its value takes it back.
pub(super) fn has_attribute(context: &Object<'_>, name: &str) -> bool {
    context.parsed.given.iter().any(|given| {
        let Some(options) = &given.options else { return false };
        let has = |name: &str| options.attributes.iter().any(|listed| listed == name);
        let next = context.parsed.operands.iter().find(|(at, ..)| *at == given.at + 1);
        let is_off = match (given.values.first(), next) {
            (Some(value), _) => match value.literal() {
                Some(value) => matches!(value.to_ascii_lowercase().as_str(), "false" | "none"),
                None => has("dry"),
            },
            (None, Some((_, next, _))) => has("dry") && next.literal().as_deref() == Some("false"),
            (None, None) => false,
        };
        has(name) && !is_off
    })
}

/// A package, unless it is a directory here.
fn package(context: &Object<'_>, text: &Text) -> Vec<Found> {
    if text.prefix().starts_with(['.', '/', '~']) {
        return vec![(Kind::Use, Scheme::File, resolve(context.directory, text))];
    }
    let hosts = context.row.text("hosts").or_else(|| context.program.and_then(|row| row.text("hosts")));
    let registry =
        hosts.unwrap_or_default().split_whitespace().find_map(|host| host.strip_prefix("registry:"));
    let name = context.program.and_then(|row| row.names.first()?.first().cloned()).unwrap_or_default();
    let manager = registry.map_or(name, str::to_owned);
    let addresses =
        context.row.text("addresses").or_else(|| context.program.and_then(|row| row.text("addresses")));
    let globs: Vec<String> = addresses.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let address = address_of_package(text);
    let is_short = text.literal().is_some_and(|text| !text.contains("://") && has_glob(&globs, &text));
    let start = format!("{manager}:{}", if is_short { "git://" } else { "" });
    let object = Text::from(start.as_str()).followed_by(text);
    let mut found = vec![(Kind::Install, Scheme::Package, object)];
    found.extend(address.map(|address| (Kind::Contact, Scheme::Host, host(&address))));
    found
}

/// The address of a package, which may come after its name and `@`.
fn address_of_package(text: &Text) -> Option<Text> {
    if is_package_address(text) {
        return Some(text.clone());
    }
    let at = text.0.iter().skip(1).position(|symbol| *symbol == Symbol::Char('@'))? + 2;
    let spaces =
        text.0.iter().skip(at).take_while(|symbol| matches!(symbol, Symbol::Char(c) if c.is_whitespace()));
    let address = text.skip(at + spaces.count());
    is_package_address(&address).then_some(address)
}

/// `SCHEME://…`, or `USER@HOST:PATH` with a dot in the host.
fn is_package_address(text: &Text) -> bool {
    let place = |from: usize, wanted: char| {
        let found = text.0.iter().skip(from).position(|symbol| *symbol == Symbol::Char(wanted));
        found.map(|place| from + place)
    };
    let is_secure_copy = || {
        let (at, colon) = place(0, '@').and_then(|at| Some((at, place(at, ':')?)))?;
        let host = text.0.get(at + 1..colon)?;
        let has = |char| host.contains(&Symbol::Char(char));
        let is_path = colon + 1 < text.0.len() && !text.skip(colon + 1).prefix().starts_with("//");
        Some(at > 0 && is_path && has('.') && !has('/') && !has('@'))
    };
    address_scheme(text).is_some() || is_secure_copy() == Some(true)
}
