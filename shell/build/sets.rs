//! Packs the sets of patterns, `data/sets.toml`, into constants.

use std::fmt::Write as _;

use toml_edit::{DocumentMut, TableLike};

use crate::directories::directories;

/// The kinds of sets, with the variants of `PatternKind`.
const KINDS: [(&str, &str); 5] =
    [("paths", "Path"), ("hosts", "Host"), ("commands", "Command"), ("texts", "Text"), ("words", "Word")];

/// The constants, or what is wrong with the file.
pub(crate) fn pack(text: &str) -> Result<String, String> {
    let document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let mut source = "static SETS: &[ShippedSet] = &[\n".to_owned();
    let mut paths = Vec::new();
    for (name, item) in document.iter() {
        let set = item.as_table_like().ok_or_else(|| format!("`{name}` is not a table"))?;
        let text = |key: &str| set.get(key).and_then(|item| item.as_str());
        let kind = KINDS.iter().find(|(kind, _)| Some(*kind) == text("kind"));
        let (_, kind) = kind.ok_or_else(|| format!("[{name}] has no valid `kind`"))?;
        let version = set.get("version").and_then(|item| item.as_integer());
        let version = version.ok_or_else(|| format!("[{name}] has no `version`"))?;
        let [of, except, lines] = ["of", "except", "lines"].map(|key| texts(name, set, key));
        let (of, except, lines) = (of?, except?, lines?);
        if of.is_empty() {
            return Err(format!("[{name}] has no patterns"));
        }
        if *kind == "Path" {
            paths.extend(of.iter().cloned());
        }
        let kind = format!("PatternKind::{kind}");
        writeln!(
            source,
            "ShippedSet {{ name: {name:?}, version: {version}, kind: {kind}, of: &{of:?}, except: &{except:?}, \
             lines: &{lines:?} }},"
        )
        .map_err(|error| error.to_string())?;
    }
    source.push_str("];\n");
    let directories: Vec<String> = directories(&paths).into_iter().collect();
    writeln!(source, "static DIRECTORIES: &[&str] = &{directories:?};").map_err(|error| error.to_string())?;
    Ok(source)
}

fn texts(name: &str, set: &dyn TableLike, key: &str) -> Result<Vec<String>, String> {
    let Some(item) = set.get(key) else { return Ok(Vec::new()) };
    let texts = item.as_array().ok_or_else(|| format!("[{name}] `{key}` is not a list"))?;
    let text = |value: &toml_edit::Value| value.as_str().map(str::to_owned);
    texts
        .iter()
        .map(|value| text(value).ok_or_else(|| format!("[{name}] `{key}` has a value that is not a text")))
        .collect()
}
