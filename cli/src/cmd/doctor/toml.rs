//! The part of TOML that trust in Codex' `config.toml` needs: keys and values on one line each.
//! Anything else is skipped.

/// Keys, from the table's on, and values: a string without its quotes, otherwise as written.
pub(super) fn read(text: &str) -> Vec<(Vec<String>, String)> {
    let (mut found, mut table, mut long) = (Vec::new(), Some(Vec::new()), None);
    for line in text.lines() {
        // A multi-line string contains no keys.
        if let Some(quotes) = long {
            long = (!line.contains(quotes)).then_some(quotes);
            continue;
        }
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            table = keys(header).filter(|(_, rest)| rest.starts_with(']')).map(|(keys, _)| keys);
            continue;
        }
        long = ["\"\"\"", "'''"].into_iter().find(|quotes| line.matches(*quotes).count() == 1);
        let Some((own, rest)) = keys(line) else { continue };
        if let (Some(table), Some(value)) = (&table, rest.strip_prefix('=').and_then(value)) {
            found.push((table.iter().cloned().chain(own).collect(), value));
        }
    }
    found
}

/// Keys with dots between them, and what follows.
fn keys(text: &str) -> Option<(Vec<String>, &str)> {
    let (mut keys, mut rest) = (Vec::new(), text.trim_start());
    loop {
        let (key, after) = key(rest)?;
        keys.push(key);
        let after = after.trim_start();
        match after.strip_prefix('.') {
            Some(more) => rest = more.trim_start(),
            None => return Some((keys, after)),
        }
    }
}

fn key(text: &str) -> Option<(String, &str)> {
    if text.starts_with(['"', '\'']) {
        return string(text);
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len());
    let (key, rest) = text.split_at_checked(end)?;
    (!key.is_empty()).then(|| (key.to_owned(), rest))
}

fn value(text: &str) -> Option<String> {
    let text = text.trim();
    if text.starts_with(['"', '\'']) {
        return string(text).map(|(value, _)| value);
    }
    Some(text.split('#').next()?.trim().to_owned())
}

/// A string in its quotes, and what follows.
fn string(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next()?;
    let (mut chars, mut value) = (text.get(1..)?.chars(), String::new());
    loop {
        match chars.next()? {
            c if c == quote => return Some((value, chars.as_str())),
            // Paths need only these two escapes.
            '\\' if quote == '"' => value.push(chars.next().filter(|c| matches!(c, '\\' | '"'))?),
            c => value.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn tables_keys_and_values() {
        let text = "a = 1 # x\n[features]\nhooks = false\n[projects.\"/a b/c.d\"]\ntrust_level = \"trusted\"\n\
                    [projects.'/x']\ntrust_level='untrusted'\n[[list]]\nprojects.\"/y\".trust_level = \"trusted\"\n\
                    [t]\nlong = \"\"\"\n[features]\nhooks = true\n\"\"\"\nz = 'q'\n";
        let found = read(text);
        let all: Vec<(String, &str)> =
            found.iter().map(|(keys, value)| (keys.join("|"), value.as_str())).collect();
        let has = |keys: &str, value: &str| all.contains(&(keys.to_owned(), value));
        assert!(
            has("a", "1")
                && has("features|hooks", "false")
                && has("projects|/a b/c.d|trust_level", "trusted")
        );
        assert!(
            has("projects|/x|trust_level", "untrusted") && has("t|z", "q") && !has("features|hooks", "true")
        );
        assert!(!all.iter().any(|(keys, _)| keys.contains("/y")));
    }
}
