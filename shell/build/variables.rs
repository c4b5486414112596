//! Packs the variables that control what programs run or load, `data/variables.toml`, into constants.

use toml_edit::{DocumentMut, Item};

/// The constants, or what is wrong with the file.
pub(crate) fn pack(text: &str) -> Result<String, String> {
    let document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let mut variables: Vec<String> = Vec::new();
    for (name, item) in document.iter() {
        if !has_source(item) {
            return Err(format!("[{name}] has no `source = [\"PROGRAM VERSION: FILE OR PAGE\"]`"));
        }
        let names = item.get("names").and_then(Item::as_str);
        let names = names.ok_or_else(|| format!("[{name}] has no text `names`"))?.split_whitespace();
        variables.extend(names.map(str::to_owned));
    }
    variables.sort_unstable();
    if let Some(twice) = variables.iter().zip(variables.iter().skip(1)).find(|(one, next)| one == next) {
        return Err(format!("`{}` is there twice", twice.0));
    }
    let exact: Vec<&String> = variables.iter().filter(|name| !name.ends_with('*')).collect();
    let starts: Vec<&str> = variables.iter().filter_map(|name| name.strip_suffix('*')).collect();
    Ok(format!(
        "/// Those that control what programs run or load, but for those with code, in order.\n\
         static LOADING: &[&str] = &{exact:?};\n\
         /// How the names of further ones begin.\n\
         static LOADING_STARTS: &[&str] = &{starts:?};\n"
    ))
}

/// Whether a table says where its names come from.
fn has_source(table: &Item) -> bool {
    let Some(source) = table.get("source") else { return false };
    let is_source = |text: &str| text.contains(": ");
    let all_are = |list: &toml_edit::Array| list.iter().all(|one| one.as_str().is_some_and(is_source));
    source.as_str().is_some_and(is_source) || source.as_array().is_some_and(all_are)
}
