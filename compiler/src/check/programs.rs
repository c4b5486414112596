//! `programs:` and `wrappers:`, which add to the shipped rows of programs and change none.

use hookc_schema::decode::DECLARED;
use hookc_schema::suggest::nearest_spelling;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::Wrapper;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_shell::programs::draft::{self, Table, Wrong};
use hookc_shell::programs::{self, Described, Programs, Row};

use crate::ir::DescribedProgram;
use crate::link::programs::shell_wrapper;

/// The wrappers of a file without those that the rows describe (W0414).
pub(super) fn wrappers(declared: &[Wrapper], out: &mut Diagnostics) -> Vec<Wrapper> {
    let (known, new): (Vec<&Wrapper>, Vec<&Wrapper>) =
        declared.iter().partition(|wrapper| programs::is_described(&wrapper.name.node));
    for wrapper in known {
        let what = format!("hookc knows what `{}` starts", wrapper.name.node);
        out.push(known_already(what, wrapper.name.span));
    }
    new.into_iter().cloned().collect()
}

fn known_already(what: String, span: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::W0414, span, what).with_label("known already");
    new.note("the declaration changes nothing").help("remove the declaration")
}

/// The programs of one file for the reader of command lines.
pub(super) fn of_file(wrappers: &[Wrapper], described: &[DescribedProgram]) -> Programs {
    let wrappers = wrappers.iter().map(shell_wrapper).collect();
    let described = described.iter().map(|program| program.described.clone()).collect();
    Programs::new(wrappers, described).unwrap_or_default()
}

/// The programs that a file describes, without those that have a shipped row (W0414).
pub(super) fn described(section: Option<&Value>, out: &mut Diagnostics) -> Vec<DescribedProgram> {
    let members = match section.map(|section| (section, &section.kind)) {
        None => &[],
        Some((_, Kind::Map(members))) => members.as_slice(),
        Some((section, _)) => {
            let new = DECLARED.wrong(section, "`programs`", "a mapping of names to programs");
            out.push(new.help("write `programs: {mytool: {operands: 'READ...'}}`"));
            &[]
        }
    };
    members.iter().filter_map(|member| program(member, out)).collect()
}

fn program(member: &Member, out: &mut Diagnostics) -> Option<DescribedProgram> {
    let (name, span) = (&member.key.node, member.key.span);
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '/') {
        let what = format!("`{name}` is not the name of a program");
        let new = Diagnostic::new(Code::E0412, span, what).with_label("not a name");
        out.push(new.help("write the name without its directory and without arguments, such as `mytool`"));
        return None;
    }
    let Kind::Map(members) = &member.value.kind else {
        let new = DECLARED.wrong(&member.value, &format!("the program `{name}`"), "a mapping");
        out.push(
            new.help("write what its arguments are: `{operands: 'READ...', options: '-o/--output=WRITE'}`"),
        );
        return None;
    };
    let described = Described { name: name.clone(), table: table(members, out)? };
    let row = match Row::from_table(name, &described.table) {
        Ok(row) => row,
        Err(faults) => {
            faults.iter().for_each(|wrong| out.push(invalid(wrong, member)));
            return None;
        }
    };
    let names: Vec<String> = row.names().map(str::to_owned).collect();
    let (known, new): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| programs::has_program(name));
    for name in &known {
        out.push(known_already(format!("hookc knows what `{name}` does"), span));
    }
    (!new.is_empty()).then_some(DescribedProgram { described, names, regexes: row.regexes(), span })
}

/// A mapping as the table of a program; another value is reported.
fn table(members: &[Member], out: &mut Diagnostics) -> Option<Table> {
    let values: Vec<_> =
        members.iter().map(|member| Some((member.key.node.clone(), value(member, out)?))).collect();
    values.into_iter().collect()
}

fn value(member: &Member, out: &mut Diagnostics) -> Option<draft::Value> {
    match &member.value.kind {
        Kind::Str(text) => Some(draft::Value::Text(text.value.clone())),
        Kind::Bool(flag) => Some(draft::Value::Flag(*flag)),
        Kind::Map(members) if member.key.node == "if" => {
            table(members, out).map(|one| draft::Value::Tables(vec![one]))
        }
        Kind::Map(members) => table(members, out).map(draft::Value::Table),
        Kind::Seq(items)
            if !items.is_empty() && items.iter().all(|item| matches!(item.kind, Kind::Map(_))) =>
        {
            let tables: Vec<_> = items.iter().map(|item| table(item.members(), out)).collect();
            tables.into_iter().collect::<Option<_>>().map(draft::Value::Tables)
        }
        Kind::Seq(items) if items.iter().all(|item| item.as_str().is_some()) => {
            Some(draft::Value::List(items.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
        }
        _ => {
            let what = format!("`{}`", member.key.node);
            out.push(DECLARED.wrong(
                &member.value,
                &what,
                "a text, `true`, `false`, a list of texts or a subcommand",
            ));
            None
        }
    }
}

/// The diagnostic of what is wrong with a program.
fn invalid(wrong: &Wrong, program: &Member) -> Diagnostic {
    let fault = &wrong.what;
    let key = wrong.key.trim_end_matches('.');
    let what = match fault.what.starts_with('`') || key.is_empty() {
        true => fault.what.clone(),
        false => format!("`{}` {}", key.trim_start_matches("if."), fault.what),
    };
    let word = fault.unknown.as_ref().map(|(word, _)| word.as_str());
    let (place, span) = place(wrong, program, word);
    let code = if word.is_some() && place == Place::Word { Code::E0447 } else { Code::E0412 };
    let new = Diagnostic::new(code, span, what).with_label(format!("in the program `{}`", program.key.node));
    let near = fault.unknown.as_ref().filter(|_| place != Place::Whole);
    match near.and_then(|(word, known)| nearest_spelling(word, known.iter().copied())) {
        Some(near) => new.did_you_mean(Some(near), span),
        None => new.help(fault.help.clone()),
    }
}

/// What is wrong of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A key.
    Key,
    /// A word of a value.
    Word,
    /// A whole value, or a subcommand.
    Whole,
}

/// Where it is wrong.
fn place(wrong: &Wrong, program: &Member, word: Option<&str>) -> (Place, Span) {
    let table = inner(program, wrong.path.strip_prefix(program.key.node.as_str()).unwrap_or_default());
    let (tables, key) = match wrong.key.strip_prefix("if.") {
        None => (vec![&table.value], wrong.key.as_str()),
        Some(key) => match table.value.get("if") {
            Some(one @ Value { kind: Kind::Map(_), .. }) => (vec![one], key),
            Some(Value { kind: Kind::Seq(items), .. }) => (items.iter().collect(), key),
            _ => (Vec::new(), key),
        },
    };
    let members =
        || tables.iter().flat_map(|table| table.members()).filter(move |member| member.key.node == key);
    if word == Some(key)
        && let Some(member) = members().next()
    {
        return (Place::Key, member.key.span);
    }
    let in_text = |member: &Member| {
        let (text, word) = (member.value.as_str()?, word?);
        let at = text.find(word)?;
        Some((Place::Word, member.value.span_within(at..at + word.len())))
    };
    let whole = || members().next().map_or(table.key.span, |member| member.value.span);
    members().find_map(in_text).unwrap_or_else(|| (Place::Whole, whole()))
}

/// The table of a subcommand: `.compose.up` of `docker`.
fn inner<'m>(table: &'m Member, path: &str) -> &'m Member {
    let Some(path) = path.strip_prefix('.') else { return table };
    let below = |member: &&Member| {
        path.strip_prefix(member.key.node.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match table.value.members().iter().filter(below).max_by_key(|member| member.key.node.len()) {
        Some(member) => inner(member, path.get(member.key.node.len()..).unwrap_or_default()),
        None => table,
    }
}
