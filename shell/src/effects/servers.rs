//! The tools of well-known MCP servers, whose names agents spell in several ways.

use super::ToolRoles;
use crate::bytes::{Malformed, Reader, put_number, put_text};

/// What the inputs of the tools of servers mean, once for all spellings of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Servers {
    /// How agents spell the names of such tools: the text before the server, and the text between it and the tool.
    /// `mcp__files__read` is spelled with `mcp__` and `__`.
    pub spellings: Vec<(String, String)>,
    /// The servers.
    pub servers: Vec<Server>,
}

/// The tools of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// The names under which it is configured.
    pub names: Vec<String>,
    /// Its tools, under the names that it has for them.
    pub tools: Vec<ToolRoles>,
}

impl Servers {
    /// The declaration of a tool, if its name is one of these tools in one of these spellings.
    pub(super) fn find(&self, name: &str) -> Option<&ToolRoles> {
        self.spellings.iter().find_map(|(start, between)| {
            let rest = name.strip_prefix(start.as_str())?;
            self.servers.iter().find_map(|server| server.find(rest, between))
        })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put_number(self.spellings.len(), out);
        for (start, between) in &self.spellings {
            put_text(start, out);
            put_text(between, out);
        }
        put_number(self.servers.len(), out);
        for server in &self.servers {
            put_number(server.names.len(), out);
            server.names.iter().for_each(|name| put_text(name, out));
            put_number(server.tools.len(), out);
            server.tools.iter().for_each(|tool| tool.encode(out));
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let spellings = reader.list(|reader| Ok((reader.text()?, reader.text()?)))?;
        let servers = reader.list(|reader| {
            Ok(Server { names: reader.list(Reader::text)?, tools: reader.list(ToolRoles::decode)? })
        })?;
        Ok(Self { spellings, servers })
    }
}

impl Server {
    /// The tool of a name that starts with one of the server's.
    fn find(&self, name: &str, between: &str) -> Option<&ToolRoles> {
        self.names.iter().find_map(|server| {
            let tool = name.strip_prefix(server.as_str())?.strip_prefix(between)?;
            self.tools.iter().find(|roles| roles.name == tool)
        })
    }
}
