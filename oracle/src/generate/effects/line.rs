//! Command lines.

use super::{ARGUMENT_TEXTS, BRANCHES, HOSTS, OPEN, PACKAGES, PATHS, VARIABLES};
use crate::effects::{Options, Row, Rows, Slot};
use crate::generate::Rng;

/// Addresses in place of files.
const ADDRESSES: &[&str] =
    &["https://h.example/x.txt", "file:///etc/passwd", "http://../x", "C://x", "s3://b", "http://$X/y"];

/// A command line of a few commands.
pub fn line(rng: &mut Rng, rows: &Rows) -> String {
    let mut line = String::new();
    for number in 0..1 + rng.below(3) {
        if number > 0 {
            line += rng.pick(&[" && ", "; ", " | ", " || ", " | ", "\n"]);
        }
        let command = command(rng, rows);
        line += &if rng.chance(15) { wrapped(rng, &command) } else { command };
    }
    line
}

/// A line around another one that starts the same commands.
pub fn wrapped(rng: &mut Rng, line: &str) -> String {
    let quoted = || format!("'{}'", line.replace('\'', "'\\''"));
    let is_simple = !line.contains([';', '|', '&', '\n', '\'', '<', '>', '=', '(']);
    match rng.below(6) {
        0 if is_simple => format!("sudo {line}"),
        1 if is_simple => format!("env {line}"),
        2 => format!("sh -c {}", quoted()),
        3 => format!("bash -c {}", quoted()),
        4 => format!("c={}; eval \"$c\"", quoted()),
        _ => format!("( {line} )"),
    }
}

/// A command with a program of the rows.
pub fn command(rng: &mut Rng, rows: &Rows) -> String {
    if rng.chance(8) {
        return rng
            .pick(&[
                "cd src",
                "cd ..",
                "cd $X",
                "export X=1",
                "export X=$Y x",
                "set -a",
                "unset X",
                "X=y",
                "cd /etc",
                "for x in a b; do cat $x; done",
            ])
            .to_owned();
    }
    let Some(row) = rows.all().get(rng.below(rows.all().len())) else { return String::new() };
    let mut words = Vec::new();
    if rng.chance(6) {
        words.push(format!("{}={}", rng.pick(VARIABLES), rng.pick(&["1", "$Y", "./x"])));
    }
    words.push(name(rng, row));
    if rng.chance(20) {
        option(rng, row, &mut words);
    }
    let row = sub(rng, row, &mut words);
    for _ in 0..rng.below(3) {
        option(rng, row, &mut words);
    }
    if rng.chance(4) {
        words.push("--".to_owned());
    }
    operands(rng, row, &mut words);
    if rng.chance(10) {
        option(rng, row, &mut words);
    }
    if rng.chance(8) {
        words.push(format!("{} {}", rng.pick(&[">", ">>", "<", "2>", "<>"]), value(rng, "READ")));
    }
    words.join(" ")
}

fn name(rng: &mut Rng, row: &Row) -> String {
    let names: Vec<&Vec<String>> = row.names.iter().chain(&row.also).collect();
    names.get(rng.below(names.len())).map(|words| words.join(" ")).unwrap_or_default()
}

/// Adds a subcommand, and gives its row.
fn sub<'r>(rng: &mut Rng, row: &'r Row, words: &mut Vec<String>) -> &'r Row {
    if row.subs.is_empty() || rng.chance(8) {
        return row;
    }
    let Some(inner) = row.subs.get(rng.below(row.subs.len())) else { return row };
    words.push(name(rng, inner));
    if rng.chance(50) { sub(rng, inner, words) } else { inner }
}

/// Adds an option with its values.
fn option(rng: &mut Rng, row: &Row, words: &mut Vec<String>) {
    if rng.chance(4) {
        return words.push(rng.pick(&["--unlisted", "-Q", "--x=y", "--help"]).to_owned());
    }
    let fields = row.list("fields");
    if !fields.is_empty() && rng.chance(40) {
        let field = fields.get(rng.below(fields.len())).and_then(|field| field.split_once('='));
        let Some(((option, name), role)) =
            field.and_then(|(place, role)| Some((place.split_once(':')?, role)))
        else {
            return;
        };
        let name = rng.pick(&[name, "id", "$X"]);
        let before = rng.pick(&["", "", "type=x,", "a,", "$X,"]);
        return words.push(format!("{option} {before}{name}={}", value(rng, role)));
    }
    let Some(options) = row.options.get(rng.below(row.options.len())) else { return };
    let Some(name) = options.names.get(rng.below(options.names.len())) else { return };
    words.push(given(rng, options, name));
}

fn given(rng: &mut Rng, options: &Options, name: &str) -> String {
    let values: Vec<String> = options.roles.iter().map(|role| value(rng, role)).collect();
    if values.is_empty() || options.is_joined && rng.chance(50) {
        return name.to_owned();
    }
    let is_long = name.starts_with("--");
    let first = values.join(" ");
    match () {
        () if options.is_prefix => format!("{name}{first}"),
        () if options.is_joined => format!("{name}{}{first}", if is_long { "=" } else { "" }),
        () if is_long && values.len() == 1 && rng.chance(50) => format!("{name}={first}"),
        () if options.takes_command && rng.chance(70) => format!("{name} {first} ';'"),
        () => format!("{name} {first}"),
    }
}

fn operands(rng: &mut Rng, row: &Row, words: &mut Vec<String>) {
    let pairs = row.list("pairs");
    if !pairs.is_empty() && rng.chance(80) {
        let Some((name, role)) = pairs.get(rng.below(pairs.len())).and_then(|pair| pair.split_once('='))
        else {
            return;
        };
        let equals = if name.ends_with(':') { "" } else { "=" };
        return words.push(format!("{name}{equals}{}", value(rng, role)));
    }
    for Slot { role, is_many, .. } in row.operands.iter().flatten() {
        let count = if *is_many { rng.below(3) } else { usize::from(rng.chance(85)) };
        words.extend((0..count).map(|_| value(rng, role)));
    }
    if rng.chance(6) {
        words.push(value(rng, "TEXT"));
    }
}

/// A word for a role.
pub(super) fn value(rng: &mut Rng, role: &str) -> String {
    let host = |rng: &mut Rng| rng.pick(HOSTS).to_owned();
    match role {
        "URL" if rng.chance(90) => format!("https://{}/{}", host(rng), rng.pick(&["a", "", "x/y.txt"])),
        "HOST" => host(rng),
        "REMOTE" if rng.chance(50) => format!("{}:{}", host(rng), rng.pick(&["x", "/x", ""])),
        "REMOTENAME" => rng.pick(&["origin", "up", "https://h.example/x", "$X"]).to_owned(),
        "REF" | "REFSPEC" => {
            let prefix = rng.pick(&["", "", "+", "HEAD:", ":", "refs/heads/", "a:refs/heads/"]);
            format!("{prefix}{}", rng.pick(BRANCHES))
        }
        "SETREF" | "DELREF" => rng.pick(BRANCHES).to_owned(),
        "PACKAGE" => rng.pick(PACKAGES).to_owned(),
        "DATA" => rng.pick(&["@.env", "a=b", "@-", "@$X", "x"]).to_owned(),
        "FORM" => rng.pick(&["f=@.env", "f=x", "f=<a.pem", "f=@a.pem;type=x,.env"]).to_owned(),
        "CODE" | "LINE" | "LINES" | "COMMAND" | "WORDS" => {
            rng.pick(&["ls", "'rm x'", "cat .env", "true"]).to_owned()
        }
        "SET" => rng.pick(&["A=b", "LC_ALL=C"]).to_owned(),
        "EXPR" | "SQL" => rng.pick(&["foo", "s/a/b/", "1,3p", ".x", "'drop table x'"]).to_owned(),
        "DIGITS" => rng.pick(&["1", "10"]).to_owned(),
        "TEXT" | "NAME" | "VALUE" => {
            if rng.chance(8) {
                format!("\"${}\"", rng.pick(VARIABLES))
            } else {
                rng.pick(ARGUMENT_TEXTS).to_owned()
            }
        }
        _ => path(rng),
    }
}

/// A path in quotes if it needs them.
fn path(rng: &mut Rng) -> String {
    if rng.chance(20) {
        return rng.pick(OPEN).to_owned();
    }
    if rng.chance(3) {
        return rng.pick(ADDRESSES).to_owned();
    }
    let path = rng.pick(PATHS);
    if path.contains(' ') { format!("'{path}'") } else { path.to_owned() }
}
