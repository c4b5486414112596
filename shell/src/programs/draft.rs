//! A row as it is written: its keys are known, its values can be read. The generator of the tables and the reader of a policy's
//! own programs check rows with this file.

use super::notation::{self, Fault, Role};

/// What a key is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A list of texts.
    List,
}

/// The keys of a row, and those of an `if`.
pub const KEYS: &[(&str, Kind)] = &[
    ("names", Kind::Text),
    ("also", Kind::Text),
    ("versions", Kind::Flag),
    ("options", Kind::Text),
    ("operands", Kind::Text),
    ("after", Kind::Text),
    ("hosts", Kind::Text),
    ("addresses", Kind::Text),
    ("implied", Kind::Text),
    ("stdin", Kind::Text),
    ("strip", Kind::Text),
    ("outputs", Kind::Text),
    ("pairs", Kind::Text),
    ("fields", Kind::Text),
    ("signs", Kind::Text),
    ("narrow", Kind::Text),
    ("groups", Kind::Text),
    ("same_group", Kind::Text),
    ("verbs", Kind::Text),
    ("stops", Kind::Flag),
    ("rest", Kind::Text),
    ("plain", Kind::Flag),
    ("complete", Kind::Text),
    ("others", Kind::Text),
    ("extensible", Kind::Flag),
    ("executes", Kind::Flag),
    ("follows", Kind::Flag),
    ("tree", Kind::Flag),
    ("hidden", Kind::Text),
    ("shows", Kind::Text),
    ("silent", Kind::Flag),
    ("pathspecs", Kind::Flag),
    ("dry", Kind::Flag),
    ("long_dash", Kind::Flag),
    ("bundle_first", Kind::Flag),
    ("exact", Kind::Flag),
    ("gnu", Kind::Flag),
    ("elsewhere", Kind::Flag),
    ("shell", Kind::Flag),
    ("interpreter", Kind::Flag),
    ("passes_input", Kind::Flag),
    ("takes_input", Kind::Text),
    ("starts", Kind::Flag),
    ("fills", Kind::Flag),
    ("copies", Kind::Flag),
    ("aliases", Kind::Flag),
    ("assigns", Kind::Flag),
    ("prints", Kind::Text),
    ("status", Kind::Text),
    ("finds", Kind::Flag),
    ("checks", Kind::Text),
    ("reports", Kind::Flag),
    ("numbers", Kind::Text),
    ("endings", Kind::Text),
    ("variables", Kind::Text),
    ("settings", Kind::Text),
    ("escapes", Kind::List),
    ("one_is_line", Kind::Flag),
    ("placeholders", Kind::Text),
    ("appends", Kind::Flag),
    ("option_code", Kind::Text),
    ("default_shell", Kind::Flag),
    ("added_code", Kind::Flag),
    ("setup", Kind::Text),
    ("reads_lines", Kind::Flag),
    ("starts_bins", Kind::Flag),
    ("starts_programs", Kind::Flag),
    ("bin", Kind::Flag),
    ("source", Kind::List),
];

/// The keys of an `if`.
pub const IF_KEYS: &[(&str, Kind)] = &[
    ("flag", Kind::Text),
    ("unless", Kind::Text),
    ("words", Kind::Text),
    ("first", Kind::Text),
    ("nothing", Kind::Flag),
    ("operands", Kind::Text),
    ("two", Kind::Text),
    ("options", Kind::Text),
    ("implied", Kind::Text),
    ("outputs", Kind::Text),
    ("hosts", Kind::Text),
    ("hidden", Kind::Text),
    ("expr", Kind::Text),
    ("expr_not", Kind::Text),
    ("stdin", Kind::Text),
    ("dry", Kind::Flag),
    ("silent", Kind::Flag),
    ("tree", Kind::Flag),
    ("plain", Kind::Flag),
    ("executes", Kind::Flag),
    ("numbers", Kind::Text),
    ("prints", Kind::Text),
    ("status", Kind::Text),
    ("reports", Kind::Flag),
    ("links", Kind::Flag),
];

/// What the output of a program can be.
const PRINTS: [&str; 4] = ["input", "words", "setup", "program"];

/// Where a program writes.
const OUTPUTS: [&str; 5] = ["here", "url", "unpacked", "clone", "operands"];

/// Who reads code in options.
const OPTION_CODE: [&str; 2] = ["shell", "other"];

/// What the exit status of a program can be that of.
const STATUS: [&str; 3] = ["command", "shell", "own"];

/// What the value of a variable of the environment can be. A setting has no words.
const VALUES: &[&str] = &["LINE", "CODE", "WORDS", "EXPR", "SCRIPT", "SHELL"];
const SETTING_VALUES: &[&str] = &["LINE", "CODE"];

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// `true` or `false`.
    Flag(bool),
    /// A list of texts.
    List(Vec<String>),
    /// A table: a subcommand.
    Table(Table),
    /// Tables, of `if`.
    Tables(Vec<Table>),
}

/// The keys of a table with their values, in their order.
pub type Table = Vec<(String, Value)>;

/// A row.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The key of its table.
    pub key: String,
    /// Its texts and flags; a flag is `true` or `false`, a list has lines.
    pub values: Vec<(&'static str, String)>,
    /// What is different with some words.
    pub ifs: Vec<Vec<(&'static str, String)>>,
    /// Its subcommands.
    pub subs: Vec<Draft>,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The program and its subcommands, with dots between them.
    pub path: String,
    /// The key, if it is about one.
    pub key: String,
    /// What is wrong, and what to write.
    pub what: Fault,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, key, what } = self;
        if key.is_empty() { write!(f, "[{path}]: {what}") } else { write!(f, "[{path}] `{key}`: {what}") }
    }
}

impl Draft {
    /// The text of a key.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(member, _)| *member == key).map(|(_, value)| value.as_str())
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn is(&self, key: &str) -> bool {
        self.text(key) == Some("true")
    }
}

/// Reads the table of a program or subcommand, and reports all that is wrong with it.
pub fn read(path: &str, key: &str, table: &Table, wrong: &mut Vec<Wrong>) -> Draft {
    let mut draft = Draft { key: key.to_owned(), ..Draft::default() };
    for (member, value) in table {
        match value {
            Value::Table(inner) => {
                let path = format!("{path}.{member}");
                draft.subs.push(read(&path, member, inner, wrong));
            }
            Value::Tables(all) if member == "if" => {
                for inner in all {
                    let mut values = Vec::new();
                    for (member, value) in inner {
                        let at = (path, &*format!("if.{member}"));
                        values.extend(known(at, member, value, IF_KEYS, wrong));
                    }
                    check_if(path, &values, wrong);
                    draft.ifs.push(values);
                }
            }
            _ => draft.values.extend(known((path, member), member, value, KEYS, wrong)),
        }
    }
    check(path, &draft, wrong);
    draft
}

/// A key that rows have, with its value as a text.
fn known(
    (path, at): (&str, &str),
    key: &str,
    value: &Value,
    keys: &'static [(&'static str, Kind)],
    wrong: &mut Vec<Wrong>,
) -> Option<(&'static str, String)> {
    let mut report = |what: Fault| wrong.push(Wrong { path: path.to_owned(), key: at.to_owned(), what });
    let Some((name, kind)) = keys.iter().find(|(name, _)| *name == key) else {
        report(Fault::unknown("is no key", key, keys.iter().map(|(name, _)| *name).collect()));
        return None;
    };
    let text = match (kind, value) {
        (Kind::Text, Value::Text(text)) => text.split_ascii_whitespace().collect::<Vec<_>>().join(" "),
        (Kind::Flag, Value::Flag(is)) => is.to_string(),
        (Kind::List, Value::Text(text)) => text.clone(),
        (Kind::List, Value::List(all)) => all.join("\n"),
        (Kind::Text, _) => {
            report(Fault::new("is no text", "write it in quotes"));
            return None;
        }
        (Kind::Flag, _) => {
            report(Fault::new("is no flag", "write `true` or `false`"));
            return None;
        }
        (Kind::List, _) => {
            report(Fault::new("is no list of texts", "write `[\"PROGRAM VERSION: FILE\"]`"));
            return None;
        }
    };
    Some((name, text))
}

/// What the values of a row must be.
fn check(path: &str, draft: &Draft, wrong: &mut Vec<Wrong>) {
    let mut report = |key: &str, what: Fault| {
        wrong.push(Wrong { path: path.to_owned(), key: key.to_owned(), what });
    };
    if let Some(list) = draft.text("options") {
        check_options(list).into_iter().for_each(|what| report("options", what));
    }
    for key in ["operands", "after"] {
        if let Some(Err(what)) = draft.text(key).map(notation::operands) {
            report(key, what);
        }
    }
    if let Some(implied) = draft.text("implied")
        && let Some(what) = invalid_implied(implied)
    {
        report("implied", what);
    }
    if draft.text("rest").is_some_and(|rest| !matches!(rest, "harmless" | "text")) {
        report(
            "rest",
            Fault::new(
                "is neither `harmless` nor `text`",
                "without the key, options that are not listed can do anything",
            ),
        );
    }
    let is_listed = |word: &str| matches!(word, "subcommands" | "options");
    if draft.text("complete").is_some_and(|complete| !complete.split(' ').all(is_listed)) {
        report(
            "complete",
            Fault::new("is neither `subcommands` nor `options`", "write what the row lists completely"),
        );
    }
    if draft.is("plain") {
        check_plain(draft, &mut |what| report("plain", what));
    }
    for (key, known) in
        [("prints", &PRINTS[..]), ("option_code", &OPTION_CODE[..]), ("outputs", &OUTPUTS[..])]
    {
        if let Some(value) = draft.text(key).filter(|value| !known.contains(value)) {
            report(key, Fault::unknown(format!("`{value}` is unknown"), value, known.to_vec()));
        }
    }
    let statuses = draft.ifs.iter().flatten().chain(&draft.values).filter(|(key, _)| *key == "status");
    for (_, status) in statuses {
        if !STATUS.contains(&status.as_str()) {
            report("status", Fault::unknown(format!("`{status}` is unknown"), status, STATUS.to_vec()));
        } else if status == "command" && !starts_command(draft) {
            let help =
                "write what starts it: `operands = \"COMMAND...\"`, or an option with `MODULE...` or code";
            report("status", Fault::new("is that of a command, and the row starts none", help));
        }
    }
    check_entries(draft, &mut report);
}

/// What a plain row must have.
fn check_plain(draft: &Draft, report: &mut dyn FnMut(Fault)) {
    if draft.text("rest") == Some("harmless") {
        report(Fault::new("has `rest = \"harmless\"`", "a plain row lists every option"));
    }
    if draft.text("operands").is_none() && draft.subs.is_empty() {
        report(Fault::new("has no `operands`", "say what its operands are, `TEXT...` if nothing"));
    }
    for key in ["operands", "after"] {
        let places = draft.text(key).and_then(|list| notation::operands(list).ok()).unwrap_or_default();
        if places.iter().any(|place| matches!(place.role, Role::Load | Role::Script | Role::Setting)) {
            report(Fault::new(format!("runs files that its `{key}` name"), "no plain row does"));
        }
    }
}

/// What the entries of lists of a row must be.
fn check_entries(draft: &Draft, report: &mut dyn FnMut(&str, Fault)) {
    for (key, roles) in [("variables", VALUES), ("settings", SETTING_VALUES)] {
        for token in draft.text(key).into_iter().flat_map(str::split_ascii_whitespace) {
            if token.split_once('=').is_none_or(|(name, role)| name.is_empty() || !roles.contains(&role)) {
                let help = format!("write `NAME=ROLE` with one of {}", roles.join(" "));
                report(key, Fault::new(format!("`{token}` has no name with a role"), help));
            }
        }
    }
    for list in draft.text("pairs").into_iter().flat_map(str::split_ascii_whitespace) {
        let role = list.split_once('=').and_then(|(_, role)| Role::from_name(role));
        if role.is_none() {
            report("pairs", Fault::new(format!("`{list}` is no pair"), "write `NAME=ROLE`"));
        }
    }
    for entry in draft.text("fields").into_iter().flat_map(str::split_ascii_whitespace) {
        if notation::Field::parse(entry).is_none() {
            let help = "write `--option:NAME=ROLE`, with `*` for any name";
            report("fields", Fault::new(format!("`{entry}` is no field of an option"), help));
        }
    }
}

/// Whether a row starts a command that its words name, or code of a shell.
fn starts_command(draft: &Draft) -> bool {
    let starts = |role: Role| matches!(role, Role::Command | Role::Module | Role::Line | Role::Code);
    let lists = draft.ifs.iter().flatten().chain(&draft.values);
    lists.into_iter().any(|(key, list)| match *key {
        "operands" | "after" => {
            notation::operands(list).unwrap_or_default().iter().any(|place| starts(place.role))
        }
        "options" => notation::options(list).flatten().any(|option| {
            option.attributes.has(notation::Attribute::FirstIsCode)
                || option.roles.into_iter().flatten().any(starts)
        }),
        _ => false,
    }) || draft.is("follows")
}

fn invalid_implied(implied: &str) -> Option<Fault> {
    let is_known = |one: &str| one.split(' ').next().and_then(Role::from_name).is_some();
    (!implied.split(", ").all(is_known))
        .then(|| Fault::new(format!("`{implied}` has no role"), "write `LIST .`"))
}

fn invalid_outputs(outputs: &str) -> Option<Fault> {
    (!OUTPUTS.contains(&outputs))
        .then(|| Fault::unknown(format!("`{outputs}` is unknown"), outputs, OUTPUTS.to_vec()))
}

fn check_if(path: &str, values: &[(&'static str, String)], wrong: &mut Vec<Wrong>) {
    let mut report = |key: &str, what: Fault| {
        wrong.push(Wrong { path: path.to_owned(), key: format!("if.{key}"), what });
    };
    let has = |key: &str| values.iter().any(|(member, _)| *member == key);
    if !["flag", "unless", "words", "first", "two", "nothing", "expr", "expr_not"].into_iter().any(has) {
        report(
            "",
            Fault::new(
                "has no condition",
                "write `flag`, `unless`, `words`, `first`, `two`, `nothing`, `expr` or `expr_not`",
            ),
        );
    }
    for (key, value) in values {
        match *key {
            "operands" | "two" => {
                if let Err(what) = notation::operands(value) {
                    report(key, what);
                }
            }
            "options" => check_options(value).into_iter().for_each(|what| report(key, what)),
            "implied" => {
                if let Some(what) = invalid_implied(value) {
                    report(key, what);
                }
            }
            "outputs" => {
                if let Some(what) = invalid_outputs(value) {
                    report(key, what);
                }
            }
            _ => {}
        }
    }
}

/// Whether an option says something again. `-n/--quiet -n/--silent` are names of one option, and a name with a value of its
/// own may stand before them: `--preserve-env[=TEXT] -E/--preserve-env`.
fn is_doubled(before: &notation::Opt<'_>, option: &notation::Opt<'_>) -> bool {
    let shared = before.names().filter(|name| option.names().any(|member| member == *name)).count();
    match (before.names().count(), option.names().count()) {
        (_, 1) => true,
        (1, _) => before.takes == option.takes,
        _ => shared > 1 || before.takes != option.takes || before.roles != option.roles,
    }
}

/// What is wrong with a list of options.
fn check_options(list: &str) -> Vec<Fault> {
    let mut options: Vec<(&str, notation::Opt<'_>)> = Vec::new();
    let mut faults = Vec::new();
    for option in notation::options(list) {
        let option = match option {
            Ok(option) => option,
            Err(what) => {
                faults.push(what);
                continue;
            }
        };
        for name in option.names() {
            let mut member = options.iter().filter(|(other, _)| *other == name).map(|(_, other)| other);
            if member.any(|other| is_doubled(other, &option)) {
                let what = format!("`{name}` is there twice");
                faults.push(Fault::new(what, "write its names once, `-x/--name`"));
            }
        }
        options.extend(option.names().map(|name| (name, option)));
    }
    faults
}
