//! The content of a Markdown text.

/// Whether the text has an XML fence with a directive.
pub(super) fn has_directive(text: &str) -> bool {
    let fence = |line: &str| line.starts_with("```") || line.starts_with("~~~");
    let mut within = false;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '\t', '>']);
        if fence(line) {
            within = line.trim_start_matches(['`', '~']).trim_start().starts_with("xml");
        } else if within && line.contains("<directive") {
            return true;
        }
    }
    false
}

/// Whether the text starts with YAML between two `---` lines that has a key of a skill.
pub(super) fn has_front_matter(text: &str) -> bool {
    has_key(text, &["name:", "description:", "trigger:", "hooks:"])
}

/// Whether its front matter has hooks.
pub(super) fn has_hooks(text: &str) -> bool {
    has_key(text, &["hooks:"])
}

/// Whether its front matter has a misspelled key `hooks`.
pub(super) fn has_misspelt_hooks(text: &str) -> bool {
    has_line(text, |line| {
        let key = line.split_once(':').map(|(key, _)| key).filter(|key| *key != "hooks");
        key.is_some_and(|key| hookc_schema::suggest::slip(key, ["hooks"]).is_some())
    })
}

fn has_key(text: &str, keys: &[&str]) -> bool {
    has_line(text, |line| keys.iter().any(|key| line.starts_with(key)))
}

/// Whether the front matter has a line that `matches`.
fn has_line(text: &str, matches: impl Fn(&str) -> bool) -> bool {
    front_matter(text).is_some_and(|front| front.lines().any(matches))
}

/// The text between two `---` lines at the start.
pub(super) fn front_matter(text: &str) -> Option<&str> {
    let mut lines = text.trim_start_matches('\u{feff}').split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let start = text.len() - text.trim_start_matches('\u{feff}').len() + first.len();
    let mut end = start;
    for line in lines {
        if line.trim_end() == "---" {
            return text.get(start..end);
        }
        end += line.len();
    }
    None
}
