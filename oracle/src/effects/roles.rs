//! What the roles of arguments mean.

use super::arguments::{Argument, Arguments};
use super::model::{Kind, Scheme};
use super::place::resolve;
use super::rows::{Row, has_glob};
use super::text::{Hole, Symbol, Text};

/// What an argument is a part of.
pub(super) struct Object<'a> {
    pub(super) row: &'a Row,
    pub(super) program: Option<&'a Row>,
    pub(super) parsed: &'a Arguments<'a>,
    pub(super) directory: &'a Text,
}

type Found = (Kind, Scheme, Text);

/// The effects of an argument.
pub(super) fn objects(context: &Object<'_>, argument: &Argument) -> Vec<Found> {
    let text = &argument.text;
    let path = || resolve(context.directory, &pathspec(context, argument));
    let file = |kinds: &[Kind]| kinds.iter().map(|kind| (*kind, Scheme::File, path())).collect();
    if is_standard(text) && argument.role != "DATA" {
        return Vec::new();
    }
    if let Some((role, scheme)) = argument.role.split_once(':') {
        let named = Argument { role: role.to_owned(), ..argument.clone() };
        let scheme = if scheme == "env" { Scheme::Variable } else { Scheme::Store };
        return objects(context, &named).into_iter().map(|(kind, ..)| (kind, scheme, text.clone())).collect();
    }
    match argument.role.as_str() {
        "READ" => file(&[Kind::Read]),
        "USE" => file(&[Kind::Use]),
        "LIST" => file(&[Kind::List]),
        "WRITE" => file(&[Kind::Write]),
        "EDIT" => file(&[Kind::Use, Kind::Write]),
        "DELETE" => file(&[Kind::Delete]),
        "MOVE" => file(&[Kind::Use, Kind::Delete]),
        "SEND" => file(&[Kind::Read, Kind::Send]),
        // A name without a place is no file here.
        "LOAD" if !text.to_string().contains(['/', '.']) => vec![(Kind::Code, Scheme::Code, text.clone())],
        "SCRIPT" | "LOAD" => {
            vec![(Kind::Use, Scheme::File, path()), (Kind::Code, Scheme::Code, text.clone())]
        }
        "SETTING" => vec![(Kind::Code, Scheme::Code, text.clone())],
        "DECLARED" if !text.prefix().contains("://") => file(&[Kind::Use]),
        "DECLARED" => package(context, text),
        "DATA" => data(context, text),
        "FORM" => form(context, text),
        "URL" => url(context, text),
        "HOST" => vec![(Kind::Contact, Scheme::Host, host(text))],
        "REMOTENAME" => remote_name(text),
        "REMOTE" => remote(context, argument),
        "SETREF" => vec![(Kind::Write, Scheme::Ref, branch(text))],
        "DELREF" => vec![(Kind::Delete, Scheme::Ref, branch(text))],
        "REFSPEC" => fetched(text),
        "PACKAGE" => package(context, text),
        _ => Vec::new(),
    }
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
            .map(|symbol| if *symbol == Symbol::Char('*') { Symbol::Hole(Hole::Any) } else { *symbol })
            .collect(),
    );
    objects(context, argument).into_iter().map(|(kind, ..)| (kind, scheme, text.clone())).collect()
}

/// The path of what git reads: `REV:PATH`, `:(top)PATH`.
fn pathspec(context: &Object<'_>, argument: &Argument) -> Text {
    let text = argument.text.clone();
    let is_git = context.row.is("pathspecs") || context.program.is_some_and(|row| row.is("pathspecs"));
    if !is_git || argument.option.is_some() {
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

/// `-`: the standard input or output.
fn is_standard(text: &Text) -> bool {
    text.literal().as_deref() == Some("-")
}

fn last(path: &Text) -> Text {
    path.split('/').into_iter().rfind(|name| !name.0.is_empty()).unwrap_or_default()
}

fn data(context: &Object<'_>, text: &Text) -> Vec<Found> {
    match text.strip_prefix("@") {
        Some(path) if is_standard(&path) => vec![(Kind::Send, Scheme::File, Text::unknown())],
        Some(path) => sent(context, &path),
        None => vec![(Kind::Send, Scheme::Posted, text.clone())],
    }
}

fn form(context: &Object<'_>, text: &Text) -> Vec<Found> {
    let value = text.split_once('=').map_or_else(|| text.clone(), |(_, value)| value);
    match value.strip_prefix("@").or_else(|| value.strip_prefix("<")) {
        Some(path) => sent(context, &path.split(';').into_iter().next().unwrap_or_default()),
        None => vec![(Kind::Send, Scheme::Posted, text.clone())],
    }
}

fn sent(context: &Object<'_>, path: &Text) -> Vec<Found> {
    let path = resolve(context.directory, path);
    vec![(Kind::Read, Scheme::File, path.clone()), (Kind::Send, Scheme::File, path)]
}

/// An address: its host, and a file that is downloaded to the name at its end.
fn url(context: &Object<'_>, text: &Text) -> Vec<Found> {
    if let Some(path) = text.strip_prefix("file://") {
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
    if name.0.is_empty() { Text(vec![Symbol::Hole(Hole::Name)]) } else { name }
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
    let rest = match literal.find("://") {
        Some(at) => text.skip(literal.chars().count().min(at + 3)),
        None => text.clone(),
    };
    let ends = |symbol: &Symbol| matches!(symbol, Symbol::Char('/' | '?' | '#' | '\\'));
    let authority: Vec<Symbol> = rest.0.iter().copied().take_while(|symbol| !ends(symbol)).collect();
    // A hole can contain the end of a host.
    if authority.contains(&Symbol::Hole(Hole::Any)) {
        return Text::unknown();
    }
    let after_user = authority.rsplit(|symbol| *symbol == Symbol::Char('@')).next().unwrap_or_default();
    if after_user.first() == Some(&Symbol::Char('[')) {
        let inner = after_user.iter().skip(1).take_while(|symbol| **symbol != Symbol::Char(']'));
        return Text(inner.copied().collect());
    }
    Text(after_user.iter().take_while(|symbol| **symbol != Symbol::Char(':')).copied().collect())
}

/// The host of `[USER@]HOST:PATH`, and the path.
fn elsewhere(text: &Text) -> Option<(Text, Text)> {
    if text.prefix().contains("://") {
        let authority = text.split_once(':').map(|(_, rest)| rest.skip(2)).unwrap_or_default();
        let path = authority.split_once('/').map(|(_, path)| Text::from("/").followed_by(&path));
        return Some((host(text), path.unwrap_or_default()));
    }
    let (before, after) = text.split_once(':')?;
    let is_host = !before.0.contains(&Symbol::Char('/')) && !before.0.is_empty();
    is_host.then(|| (host(&before), after))
}

fn remote_name(text: &Text) -> Vec<Found> {
    let host = match elsewhere(text) {
        Some((host, _)) => host,
        None => return Vec::new(),
    };
    vec![(Kind::Contact, Scheme::Host, host)]
}

/// The branches that a push moves: `REMOTE:BRANCH` of each `[+]SOURCE[:TARGET]`.
pub(super) fn pushes(context: &Object<'_>) -> Vec<Found> {
    let roles = &context.parsed.roles;
    let refs: Vec<&Argument> = roles.iter().filter(|argument| argument.role == "REF").collect();
    let slots = context.row.operands.iter().flatten();
    let has = |name: &str| has_attribute(context, name);
    if !slots.into_iter().any(|slot| slot.role == "REF") && refs.is_empty() && !has("allrefs") {
        return Vec::new();
    }
    let remotes = roles.iter().filter(|argument| argument.role == "REMOTENAME");
    let remote = remotes.max_by_key(|argument| argument.option.is_none());
    let remote = remote.map_or_else(Text::unknown, |argument| argument.text.clone());
    let mut targets: Vec<Text> = Vec::new();
    if has("allrefs") || refs.is_empty() && !has("tags") {
        targets.push(Text::unknown());
    }
    for argument in refs.iter().filter(|argument| argument.text.literal().as_deref() != Some("tag")) {
        let text = argument.text.strip_prefix("+").unwrap_or_else(|| argument.text.clone());
        let target = text.split(':').pop().unwrap_or_default();
        let is_head = matches!(target.literal().as_deref(), Some("" | "HEAD" | "@"));
        targets.push(if is_head { Text::unknown() } else { branch(&target) });
    }
    let object = |target: Text| remote.followed_by(&Text::from(":")).followed_by(&target);
    targets.into_iter().map(|target| (Kind::Push, Scheme::Branch, object(target))).collect()
}

/// The local branch that a fetch moves: `b` of `a:b`.
fn fetched(text: &Text) -> Vec<Found> {
    match text.split_once(':').map(|_| text.split(':').pop().unwrap_or_default()) {
        Some(target) if !target.0.is_empty() => vec![(Kind::Write, Scheme::Ref, branch(&target))],
        _ => Vec::new(),
    }
}

/// A branch without the directory of branches. `*` is any text, and what is unknown can be that directory.
fn branch(name: &Text) -> Text {
    let any = Symbol::Hole(Hole::Any);
    let open =
        |symbol: &Symbol| if matches!(symbol, Symbol::Hole(_) | Symbol::Char('*')) { any } else { *symbol };
    let name = Text(name.0.iter().map(open).collect());
    let before = name.prefix();
    if before.chars().count() < name.0.len()
        && ["refs/heads/", "heads/"].iter().any(|directory| directory.starts_with(&before))
    {
        let rest = name.skip(before.chars().count() + 1);
        return Text(vec![any]).followed_by(&rest.strip_prefix("/").unwrap_or(rest));
    }
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name)
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

/// What a copy writes: files with the names of its sources, in a directory.
pub(super) fn copies(context: &Object<'_>) -> Vec<Found> {
    let roles = &context.parsed.roles;
    let is_source = |argument: &&Argument| {
        argument.option.is_none() && matches!(argument.role.as_str(), "READ" | "MOVE" | "USE" | "LIST")
    };
    let sources: Vec<&Argument> = roles.iter().filter(is_source).collect();
    let mut directories: Vec<Text> = Vec::new();
    let into = roles.iter().rfind(|argument| argument.role == "INTO");
    directories.extend(into.filter(|_| context.row.text("outputs").is_none()).map(|into| into.text.clone()));
    let slots = context.row.operands.clone().unwrap_or_default();
    let copies =
        slots.iter().any(|slot| slot.is_many && matches!(slot.role.as_str(), "READ" | "USE" | "MOVE"))
            && slots.last().is_some_and(|slot| slot.role == "WRITE");
    let target = roles.iter().rfind(|argument| argument.option.is_none() && argument.role == "WRITE");
    if let Some(target) = target.filter(|_| copies)
        && (!is_file(&target.text) || sources.len() > 1)
    {
        directories.push(target.text.clone());
    }
    let slash = Text::from("/");
    let mut found = received(context);
    let named = |directory: &Text| {
        let names = sources.iter().map(|source| last(&source.text));
        let names = names.filter(|name| !matches!(name.literal().as_deref(), Some("" | "." | "..")));
        names.map(|name| directory.followed_by(&slash).followed_by(&name)).collect::<Vec<_>>()
    };
    let paths = directories.iter().flat_map(named);
    found.extend(paths.map(|path| (Kind::Write, Scheme::File, resolve(context.directory, &path))));
    found
}

/// Whether a target is a file: it has an extension.
fn is_file(target: &Text) -> bool {
    let name = last(target);
    let dots = name.0.iter().skip(1).any(|symbol| *symbol == Symbol::Char('.'));
    dots && name.literal().as_deref() != Some("..")
}

/// What a transfer writes here: files with the names of its sources.
fn received(context: &Object<'_>) -> Vec<Found> {
    let remotes: Vec<&Argument> =
        context.parsed.roles.iter().filter(|argument| argument.role == "REMOTE").collect();
    let Some((target, sources)) = remotes.split_last() else { return Vec::new() };
    let is_here = elsewhere(&target.text).is_none() && !is_standard(&target.text);
    if !is_here || is_file(&target.text) && sources.len() < 2 {
        return Vec::new();
    }
    let name = |source: &&Argument| {
        let path = elsewhere(&source.text).map_or_else(|| source.text.clone(), |(_, path)| path);
        last(&path)
    };
    let names = sources.iter().map(name);
    let names = names.filter(|name| !matches!(name.literal().as_deref(), Some("" | "." | "..")));
    let path = |name: Text| target.text.followed_by(&Text::from("/")).followed_by(&name);
    names.map(|name| (Kind::Write, Scheme::File, resolve(context.directory, &path(name)))).collect()
}

/// A path here or elsewhere; the last one is the target.
fn remote(context: &Object<'_>, argument: &Argument) -> Vec<Found> {
    let remotes: Vec<&Argument> =
        context.parsed.roles.iter().filter(|other| other.role == "REMOTE").collect();
    let is_target = remotes.last().is_some_and(|last| *last == argument) && remotes.len() > 1;
    let is_shown = remotes.last().is_some_and(|last| is_standard(&last.text));
    if let Some((host, path)) = elsewhere(&argument.text) {
        let contact = (Kind::Contact, Scheme::Host, host);
        if is_target || remotes.len() < 2 || path.0.is_empty() {
            return vec![contact];
        }
        let slash = if path.0.first() == Some(&Symbol::Char('/')) { "" } else { "/" };
        let path = Text::unknown().followed_by(&Text::from(slash)).followed_by(&path);
        return vec![contact, (if is_shown { Kind::Read } else { Kind::Use }, Scheme::File, path)];
    }
    let path = resolve(context.directory, &argument.text);
    if is_target {
        return vec![(Kind::Write, Scheme::File, path)];
    }
    let goes_away = remotes.last().is_some_and(|last| elsewhere(&last.text).is_some());
    let kinds: &[Kind] = if goes_away { &[Kind::Read, Kind::Send] } else { &[Kind::Use] };
    kinds.iter().map(|kind| (*kind, Scheme::File, path.clone())).collect()
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
    let is_short =
        !text.prefix().contains("://") && text.literal().is_some_and(|text| has_glob(&globs, &text));
    let start = format!("{manager}:{}", if is_short { "git://" } else { "" });
    let object = Text::from(start.as_str()).followed_by(text);
    let mut found = vec![(Kind::Install, Scheme::Package, object)];
    if text.prefix().contains("://") {
        found.push((Kind::Contact, Scheme::Host, host(text)));
    }
    found
}
