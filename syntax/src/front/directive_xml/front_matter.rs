//! Reads hooks in the YAML front matter of a directive, a list like that of a hooks file.

use hookc_schema::tree::Hook;
use hookc_schema::value::Kind;
use hookc_schema::{Diagnostics, SourceId};

use crate::front::{hooks_yaml, yaml};

/// The hooks of the front matter; `None` if it has no list of hooks. Other keys are ignored.
pub(super) fn hooks(text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Vec<Hook>> {
    let matter = blanked(text)?;
    let mut reported = Diagnostics::new();
    let read = yaml::document(&matter, source, &mut reported, |root, reported| {
        let list = root.get("hooks").filter(|hooks| matches!(hooks.kind, Kind::Seq(_)))?;
        Some(hooks_yaml::list(list, reported))
    });
    let hooks = match read {
        Some(hooks) => hooks,
        None => matter.lines().any(|line| line.starts_with("hooks:")).then(Vec::new),
    };
    // Without hooks, errors in the front matter are not reported.
    hooks.inspect(|_| out.append(&mut reported))
}

/// The front matter at its own offsets: the text before it is replaced by spaces, the text after it
/// is omitted. Only a comment may precede it.
fn blanked(text: &str) -> Option<String> {
    let mut start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    while let Some(comment) = text.get(start..).filter(|rest| rest.starts_with("<!--")) {
        let end = start + comment.find("-->")? + 3;
        let rest = text.get(end..)?;
        start = end + (rest.len() - rest.trim_start().len());
    }
    let (line, rest) = text.get(start..)?.split_once('\n')?;
    if line.trim_end() != "---" {
        return None;
    }
    let start = start + line.len() + 1;
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let blank = text.get(..start)?.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
            return Some(blank.collect::<String>() + rest.get(..length)?);
        }
        length += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_keeps_its_spans() {
        let text = "<!-- signed -->\n---\na: 1\r\n---\nb: 2\n";
        let matter = blanked(text).unwrap();
        assert_eq!(matter.trim(), "a: 1");
        assert_eq!(matter.find("a:"), text.find("a:"));
        for none in ["", "# T\n---\na: 1\n---\n", "---\na: 1\n", "---"] {
            assert_eq!(blanked(none), None, "{none}");
        }
    }
}
