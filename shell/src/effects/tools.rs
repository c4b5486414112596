//! What the inputs of tools mean.

use super::Servers;
use crate::bytes::{Malformed, Reader, put_number, put_text};

/// What the inputs of tools mean: the declarations of a policy, and those of the vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// The declarations of the policy, whose names are globs. Of several that match, the one without a wildcard wins,
    /// then the longest.
    pub declared: Vec<ToolRoles>,
    /// The declarations of the vocabulary; those of the policy win.
    pub shipped: Vec<ToolRoles>,
    /// Those of well-known servers.
    pub servers: Servers,
}

/// What the inputs of a tool mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRoles {
    /// A glob of the names of tools: `mcp__files__*`.
    pub name: String,
    /// Its inputs that have a role: the path of each, such as `edits[*].path`, and the text of its role, such as
    /// `read tree .`. None if the tool is `unknown`.
    pub inputs: Option<Vec<(String, String)>>,
}

impl Tools {
    /// The declaration of a tool: that of the policy for its name, or the shipped one for the name that the agent has
    /// for it, or the shipped one for its name.
    #[must_use]
    pub fn find(&self, tool: &str, host_tool: Option<&str>) -> Option<&ToolRoles> {
        let shipped = |tool: &str| best(&self.shipped, tool).or_else(|| self.servers.find(tool));
        best(&self.declared, tool).or_else(|| host_tool.and_then(shipped)).or_else(|| shipped(tool))
    }

    /// Appends its bytes, which a module carries.
    pub fn encode(&self, out: &mut Vec<u8>) {
        for list in [&self.declared, &self.shipped] {
            put_number(list.len(), out);
            list.iter().for_each(|tool| tool.encode(out));
        }
        self.servers.encode(out);
    }

    /// Reads the bytes of [`encode`](Self::encode).
    ///
    /// # Errors
    /// If the bytes are others.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let tools = Self {
            declared: reader.list(ToolRoles::decode)?,
            shipped: reader.list(ToolRoles::decode)?,
            servers: Servers::decode(&mut reader)?,
        };
        reader.end(tools)
    }
}

impl ToolRoles {
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put_text(&self.name, out);
        out.push(u8::from(self.inputs.is_some()));
        let Some(inputs) = &self.inputs else { return };
        put_number(inputs.len(), out);
        for (path, role) in inputs {
            put_text(path, out);
            put_text(role, out);
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let name = reader.text()?;
        let inputs = match reader.byte()? {
            0 => None,
            1 => Some(reader.list(|reader| Ok((reader.text()?, reader.text()?)))?),
            _ => return Err(Malformed),
        };
        Ok(Self { name, inputs })
    }
}

/// The declaration of a list that matches a tool best.
fn best<'t>(list: &'t [ToolRoles], tool: &str) -> Option<&'t ToolRoles> {
    if let Some(roles) = list.iter().find(|roles| roles.name == tool && !tool.contains('*')) {
        return Some(roles);
    }
    let rank = |tool: &&ToolRoles| (!tool.name.contains('*'), tool.name.len());
    // Of equal ones the first.
    list.iter().rev().filter(|roles| matches_glob(&roles.name, tool)).max_by_key(rank)
}

/// Whether a name matches a glob, in which `*` is any text.
#[must_use]
pub fn matches_glob(glob: &str, name: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else { return glob == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return name.ends_with(part);
        }
        let Some(at) = name.find(part) else { return false };
        name = name.get(at + part.len()..).unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effects::Server;

    fn roles(name: &str, inputs: Option<&[(&str, &str)]>) -> ToolRoles {
        let owned = |list: &[(&str, &str)]| {
            list.iter().map(|(path, role)| ((*path).to_owned(), (*role).to_owned())).collect()
        };
        ToolRoles { name: name.to_owned(), inputs: inputs.map(owned) }
    }

    fn tools() -> Tools {
        Tools {
            declared: vec![
                roles("mcp__*", None),
                roles("mcp__docs__*", Some(&[])),
                roles("mcp__docs__put", Some(&[("where", "write required"), ("a[*].b", "read tree .")])),
            ],
            shipped: vec![
                roles("Edit", Some(&[("file_path", "edit required")])),
                roles("apply_patch", Some(&[("input", "patch either")])),
            ],
            servers: Servers {
                spellings: [("mcp__", "__"), ("mcp_", "_"), ("", "-")]
                    .map(|(a, b)| (a.into(), b.into()))
                    .into(),
                servers: vec![Server {
                    names: vec!["files".to_owned(), "local_files".to_owned()],
                    tools: vec![roles("put_all", Some(&[("path", "write required")]))],
                }],
            },
        }
    }

    #[test]
    fn the_best_declaration_wins() {
        let tools = tools();
        for (tool, host_tool, expected) in [
            ("mcp__docs__put", None, Some("mcp__docs__put")),
            ("mcp__docs__get", None, Some("mcp__docs__*")),
            ("mcp__x", Some("apply_patch"), Some("mcp__*")),
            ("Edit", None, Some("Edit")),
            ("Edit", Some("apply_patch"), Some("apply_patch")),
            ("Edit", Some("replace"), Some("Edit")),
            ("Editor", None, None),
            ("mcp__files__put_all", None, Some("mcp__*")),
            ("mcp_files_put_all", None, Some("put_all")),
            ("mcp_local_files_put_all", None, Some("put_all")),
            ("local_files-put_all", None, Some("put_all")),
            ("Edit", Some("files-put_all"), Some("put_all")),
            ("mcp_files_put", None, None),
            ("mcp_files-put_all", None, None),
            ("files_put_all", None, None),
        ] {
            assert_eq!(tools.find(tool, host_tool).map(|roles| roles.name.as_str()), expected, "{tool}");
        }
    }

    #[test]
    fn globs_match_whole_names() {
        for (glob, name, is) in [
            ("a*c", "abc", true),
            ("a*c", "abcd", false),
            ("a*b*c", "a1b2c", true),
            ("*", "", true),
            ("a**c", "abc", true),
            ("a*bc*bc", "abc", false),
        ] {
            assert_eq!(matches_glob(glob, name), is, "{glob} {name}");
        }
    }

    #[test]
    fn decoding_is_the_inverse_of_encoding() {
        let mut bytes = Vec::new();
        tools().encode(&mut bytes);
        assert_eq!(Tools::decode(&bytes), Ok(tools()));
        for length in 0..bytes.len() {
            assert_eq!(Tools::decode(&bytes[..length]), Err(Malformed));
        }
    }
}
