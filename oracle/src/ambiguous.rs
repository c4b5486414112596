//! Paths that tools of different systems understand in different ways.

/// Whether some tools remove a character from the ends of a path.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether tools of different systems understand a path in different ways.
pub(crate) fn is_ambiguous(text: &str) -> bool {
    let first: Vec<char> = text.chars().take_while(|c| *c != '/').collect();
    let drive = matches!(first.as_slice(), [letter, ':', ..] if letter.is_ascii_alphabetic());
    let blank = text.chars().next().is_some_and(is_blank) || text.chars().last().is_some_and(is_blank);
    blank || drive || first.last() == Some(&':') || text.chars().any(|c| c == '\\')
}

/// The last name of a path that leads to an unknown place, on any system.
pub(crate) fn last_name(text: &str) -> Option<String> {
    let slashes = text.trim_matches(is_blank).replace('\\', "/");
    let mut names: Vec<(usize, &str)> = Vec::new();
    for (at, part) in slashes.split('/').enumerate() {
        match part {
            "" | "." => {}
            ".." => drop(names.pop()),
            part => names.push((at, part)),
        }
    }
    let (at, name) = names.pop()?;
    if at > 0 {
        return Some(name.to_owned());
    }
    if name.starts_with('~') || name.ends_with(':') {
        return None;
    }
    let mut rest = name.chars();
    match (rest.next(), rest.next()) {
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => Some(rest.collect()),
        _ => Some(name.to_owned()),
    }
}
