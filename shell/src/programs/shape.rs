//! The tree of a row: its subcommands in their groups, with the places where they have other names.

use super::draft::{Draft, Wrong};
use super::notation::{self, Attribute, Fault, Role};

/// A row in its place among subcommands.
#[derive(Clone, Debug, Default)]
pub struct Shaped {
    /// Its names in this place; the first one is that of its table.
    pub names: String,
    /// Its other names in this place.
    pub also: String,
    /// The groups before its name: `compose` of `docker compose up`.
    pub group: String,
    /// Its canonical name, where this place has another one.
    pub same_as: String,
    /// Its texts and flags.
    pub values: Vec<(&'static str, String)>,
    /// What is different with some words.
    pub ifs: Vec<Vec<(&'static str, String)>>,
    /// Its subcommands.
    pub subs: Vec<Shaped>,
}

impl Shaped {
    /// Whether this is one of its names.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.names.split(' ').chain(self.also.split(' ')).any(|listed| listed == name)
    }
}

/// The tree of a program.
pub fn shape(draft: &Draft, wrong: &mut Vec<Wrong>) -> Shaped {
    let mut root = Shaped {
        names: draft.text("names").unwrap_or(&draft.key).to_owned(),
        also: draft.text("also").unwrap_or_default().to_owned(),
        ..bare(draft)
    };
    let groups = draft.text("groups").unwrap_or_default().to_owned();
    let mut copies = Vec::new();
    root.subs = below(draft, "", &groups, &mut copies);
    for (path, copy) in copies {
        place(&mut root.subs, &path, copy);
    }
    report_doubled(&root, &draft.key, wrong);
    root
}

/// What a row says, without its names.
fn bare(draft: &Draft) -> Shaped {
    let listed = draft.values.iter().filter(|(key, _)| !matches!(*key, "names" | "also"));
    let mut values: Vec<_> = listed.cloned().collect();
    if starts(draft) && !draft.is("starts") {
        values.push(("starts", "true".to_owned()));
    }
    Shaped { values, ifs: draft.ifs.clone(), ..Shaped::default() }
}

/// The subcommands of a table. Those with a place elsewhere are copied there.
fn below(draft: &Draft, group: &str, groups: &str, copies: &mut Vec<(Vec<String>, Shaped)>) -> Vec<Shaped> {
    let mut shapes: Vec<Shaped> = Vec::new();
    for sub in &draft.subs {
        let names = match sub.text("names") {
            Some(names) => paths(names, groups),
            None => vec![sub.key.split(' ').map(str::to_owned).collect()],
        };
        let also = paths(sub.text("also").unwrap_or_default(), groups);
        let parent: Vec<String> = group.split_ascii_whitespace().map(str::to_owned).collect();
        let place_of = |path: &[String]| match path.split_last() {
            // `[docker."volume rm"]`
            Some((_, before)) if !before.is_empty() => before.to_vec(),
            _ => parent.clone(),
        };
        let home = names.first().map_or_else(|| parent.clone(), |first| place_of(first));
        let here = |shapes: &[Vec<String>]| {
            let listed =
                shapes.iter().filter(|path| place_of(path) == home).filter_map(|path| path.last().cloned());
            listed.collect::<Vec<_>>().join(" ")
        };
        let mut row = Shaped { names: here(&names), also: here(&also), group: home.join(" "), ..bare(sub) };
        let inner = format!("{group} {}", sub.key);
        row.subs = below(sub, inner.trim_start(), groups, copies);
        let first = names.first().and_then(|first| first.last()).cloned().unwrap_or_default();
        for (path, is_other_name) in
            names.iter().map(|path| (path, false)).chain(also.iter().map(|path| (path, true)))
        {
            let (Some(name), before) = (path.last(), place_of(path)) else { continue };
            if before == home {
                continue;
            }
            let (same_as, group) = match is_other_name {
                true => (first.clone(), row.group.clone()),
                false => (String::new(), before.join(" ")),
            };
            let copy = Shaped {
                names: name.clone(),
                also: String::new(),
                group,
                same_as,
                subs: Vec::new(),
                ..row.clone()
            };
            copies.push((before, copy));
        }
        let is_next_to_it = home == parent;
        if is_next_to_it { shapes.push(row) } else { copies.push((home, row)) }
    }
    shapes
}

/// The names of a list, separated by spaces or `|`. Groups before a name are a part of it: `volume rm`.
fn paths(list: &str, groups: &str) -> Vec<Vec<String>> {
    let is_group = |word: &&str| groups.split(' ').any(|group| group.trim_end_matches('+') == *word);
    let mut paths = Vec::new();
    for part in list.split('|') {
        let words: Vec<&str> = part.split_ascii_whitespace().collect();
        match words.split_last() {
            Some((last, before @ [first, ..]))
                if list.contains('|') && is_group(first)
                    || !is_group(last) && before.iter().all(&is_group) =>
            {
                paths.push(words.iter().map(|word| (*word).to_owned()).collect());
            }
            _ => paths.extend(words.iter().map(|word| vec![(*word).to_owned()])),
        }
    }
    paths
}

/// Puts a row into its group, which is added if it is missing.
fn place(subs: &mut Vec<Shaped>, path: &[String], row: Shaped) {
    let Some((first, rest)) = path.split_first() else { return subs.push(row) };
    let at = subs.iter().position(|sub| sub.is_named(first)).unwrap_or_else(|| {
        subs.push(Shaped {
            names: first.clone(),
            values: vec![("operands", "TEXT".to_owned())],
            ..Shaped::default()
        });
        subs.len() - 1
    });
    if let Some(group) = subs.get_mut(at) {
        place(&mut group.subs, rest, row);
    }
}

fn report_doubled(row: &Shaped, path: &str, wrong: &mut Vec<Wrong>) {
    let mut seen: Vec<&str> = Vec::new();
    for sub in &row.subs {
        for name in sub.names.split(' ').chain(sub.also.split(' ')).filter(|name| !name.is_empty()) {
            if seen.contains(&name) {
                let what =
                    Fault::new(format!("`{name}` is a subcommand twice"), "write its names in one table");
                wrong.push(Wrong { path: path.to_owned(), key: String::new(), what });
            }
            seen.push(name);
        }
        report_doubled(sub, &format!("{path}.{}", sub.names.split(' ').next().unwrap_or_default()), wrong);
    }
}

/// Whether something that a row names is code or a program, or nothing is known about its operands.
fn starts(draft: &Draft) -> bool {
    let texts = draft.ifs.iter().flatten().chain(&draft.values);
    let listed = texts.into_iter().any(|(key, value)| match *key {
        "options" => notation::options(value).flatten().any(|option| {
            option.attributes.has(Attribute::FirstIsCode)
                || option.attributes.has(Attribute::AllAreCode)
                || option.roles.into_iter().flatten().any(|role| role.starts() && !is_configuration(role))
        }),
        "operands" | "two" | "after" => {
            notation::operands(value).unwrap_or_default().iter().any(|place| place.role.starts())
        }
        "shell" | "interpreter" | "executes" | "settings" | "escapes" => true,
        _ => false,
    });
    listed || draft.text("operands").is_none() || draft.subs.iter().any(starts)
}

/// Whether an option in this role only names what the program loads by itself too.
fn is_configuration(role: Role) -> bool {
    matches!(role, Role::Load | Role::Setting | Role::Script)
}
