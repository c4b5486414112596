//! What code says about a program by its name belongs into the rows. `named.txt` lists the names that code has, file by file:
//! builtins, which the reader implements as grammar, and programs whose arguments have a grammar of their own. A new name
//! needs a row or a key of one; `BLESS=1` writes the list without names that are gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hookc_shell::programs::{Row, rows};

/// The crates that could say something about programs.
const CRATES: [&str; 8] = ["base", "schema", "shell", "vm", "syntax", "compiler", "runtime", "cli"];

/// Names of programs that are also words of the language, of agents and of other things that code is about.
const WORDS: &str = "as builtin code command continue copilot cursor date dir dirname env exec expect expr false fd fetch file float host \
    groups help http https id info install integer invoke kind less limit local log lt ne op open patch read retry return script seq set skill source start \
    step strings strip suspend test time timeout tree true type wait where windsurf write x86_64 yes";

fn files(directory: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            files(&path, out);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            out.push(path);
        }
    }
}

/// The texts in quotes of a source, without its tests and comments.
fn texts(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let (mut texts, mut rest) = (Vec::new(), code.as_str());
    while let Some(start) = rest.find('"') {
        let is_char = rest[..start].ends_with('\'') && rest[start + 1..].starts_with('\'');
        rest = &rest[start + 1..];
        if is_char {
            continue;
        }
        let mut is_escaped = false;
        let end = rest.find(|char| match (char, is_escaped) {
            ('"', false) => true,
            _ => {
                is_escaped = char == '\\' && !is_escaped;
                false
            }
        });
        let Some(end) = end else { break };
        texts.push(rest[..end].to_owned());
        rest = &rest[end + 1..];
    }
    texts
}

#[test]
fn code_names_no_program_that_the_list_does_not_have() {
    let words: BTreeSet<&str> = WORDS.split_ascii_whitespace().collect();
    let names: BTreeSet<&str> =
        rows().flat_map(Row::names).filter(|name| name.len() > 1 && !words.contains(name)).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in CRATES {
        let mut sources = Vec::new();
        files(&root.join(name).join("src"), &mut sources);
        for path in sources {
            let texts = texts(&fs::read_to_string(&path).unwrap());
            let lists = texts
                .iter()
                .filter(|text| text.split(' ').all(|word| names.contains(word) || words.contains(word)));
            let named =
                lists.flat_map(|text| text.split(' ')).filter(|word| names.contains(word)).map(str::to_owned);
            let named: BTreeSet<String> = named.collect();
            if !named.is_empty() {
                let path = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(path, named);
            }
        }
    }
    let golden = root.join("shell/tests/named.txt");
    let text = fs::read_to_string(&golden).unwrap_or_default();
    let known: BTreeMap<&str, Vec<&str>> = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(path, names)| (path, names.split(' ').collect()))
        .collect();
    if std::env::var_os("BLESS").is_some() {
        let line = |(path, names): (&String, &BTreeSet<String>)| {
            format!("{path}: {}\n", names.iter().map(String::as_str).collect::<Vec<_>>().join(" "))
        };
        return fs::write(&golden, found.iter().map(line).collect::<String>()).unwrap();
    }
    let is_known = |path: &str, name: &str| known.get(path).is_some_and(|names| names.contains(&name));
    let new =
        found.iter().flat_map(|(path, names)| names.iter().map(move |name| (path.as_str(), name.as_str())));
    let new: Vec<_> = new.filter(|(path, name)| !is_known(path, name)).collect();
    assert!(new.is_empty(), "names of programs in code; make them rows or keys of rows: {new:?}");
}
