//! Lists the agents: each file of `data/agents` is one. Tests compare what is found here with what the files say.

#![allow(clippy::disallowed_methods, reason = "a script of the build")]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let missing = |name: &str| io::Error::other(format!("{name} is not set"));
    let root = env::var("CARGO_MANIFEST_DIR").map_err(|_| missing("CARGO_MANIFEST_DIR"))?;
    let out = env::var("OUT_DIR").map_err(|_| missing("OUT_DIR"))?;
    let folder = Path::new(&root).join("data/agents");
    println!("cargo::rerun-if-changed=data/agents");
    let mut agents = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|ending| ending == "json") {
            agents.push((name, fs::read_to_string(&path)?));
        }
    }
    // The agent with the events of the vocabulary is the first.
    agents.sort_by_key(|(name, data)| (!data.contains("\n  \"vocabulary\": true"), name.clone()));
    let mut text = "agents! {\n".to_owned();
    for (name, data) in &agents {
        let label = data.split("\"label\": \"").nth(1).and_then(|rest| rest.split('"').next());
        let _ = writeln!(text, "    /// {}.\n    {} = {name:?},", label.unwrap_or_default(), variant(name));
    }
    let list = |key: &str| {
        let having = agents.iter().filter(|(_, data)| data.contains(key));
        having.map(|(name, _)| format!("Self::{}, ", variant(name))).collect::<String>()
    };
    let _ = writeln!(
        text,
        "}}\n\nimpl Id {{\n    \
         /// Those that `hookc run` supports (see [`Agent::answered`]): they are known without reading the data.\n    \
         pub const ANSWERED: &[Self] = &[{}];\n    \
         /// Those with hooks files in a form of their own (see [`Agent::form`]).\n    \
         pub const FORMED: &[Self] = &[{}];\n}}",
        list("\n  \"answered\": true"),
        list("\n  \"form\": {"),
    );
    fs::write(Path::new(&out).join("agents.rs"), text)
}

/// The variant of an agent: its name with a capital.
fn variant(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
