//! The top modules of a crate and who imports whom.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{code, paths};

/// The imports between the top modules of a crate.
#[derive(Default)]
pub(super) struct Graph {
    /// Names at the root of the crate that are of a module.
    exported: BTreeMap<String, String>,
    modules: BTreeSet<String>,
    /// For each module those that it imports, with the first file that does.
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Graph {
    /// How many modules there are.
    pub(super) fn modules(&self) -> usize {
        self.modules.len()
    }

    /// Reads a file, `name` being relative to the crate's `src`. Reading it again
    /// replaces what it imported.
    pub(super) fn file(&mut self, name: &str, text: &str) {
        let code = code(text);
        let mut place: Vec<&str> = name.strip_suffix(".rs").unwrap_or(name).split('/').collect();
        place.retain(|part| !matches!(*part, "mod" | "lib" | "main"));
        let Some(module) = place.first().map(|module| (*module).to_owned()) else {
            return self.root(&code);
        };
        self.modules.insert(module.clone());
        self.edges.entry(module.clone()).or_default().retain(|_, file| file != name);
        for (at, found) in code.match_indices("crate::") {
            if !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                self.import(name, &module, &code[at + found.len()..]);
            }
        }
        let up = "super::".repeat(place.len());
        for (at, found) in code.match_indices(&up) {
            if !code[..at].ends_with("super::") && !code[at + found.len()..].starts_with("super::") {
                self.import(name, &module, &code[at + found.len()..]);
            }
        }
    }

    /// Notes the names that the root re-exports from its modules.
    fn root(&mut self, code: &str) {
        for part in code.split("use ").skip(1) {
            for path in paths(part.split(';').next().unwrap_or("")) {
                let last = path.last().unwrap();
                let name = last.strip_prefix("as ").unwrap_or(last);
                self.exported.insert(name.to_owned(), path[0].clone());
            }
        }
    }

    fn import(&mut self, file: &str, module: &str, text: &str) {
        for path in paths(text) {
            let target = self.exported.get(&path[0]).unwrap_or(&path[0]);
            if target != module {
                let edges = self.edges.entry(module.to_owned()).or_default();
                edges.entry(target.clone()).or_insert_with(|| file.to_owned());
            }
        }
    }

    /// The groups of modules that reach one another, each as the list of its
    /// imports.
    pub(super) fn circles(&self) -> Vec<String> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.modules.iter().map(|module| (module.as_str(), self.reach(module))).collect();
        let both = |a: &str, b: &str| reach[a].contains(b) && reach[b].contains(a);
        let mut done = BTreeSet::new();
        let mut names = Vec::new();
        for module in &self.modules {
            let circle: Vec<&String> = self.modules.iter().filter(|other| both(module, other)).collect();
            if circle.len() > 1 && done.insert(circle.clone()) {
                names.push(self.shown(&circle));
            }
        }
        names
    }

    /// The modules that a module imports, directly or not.
    fn reach(&self, module: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec![module];
        while let Some(next) = open.pop() {
            for target in self.edges.get(next).into_iter().flat_map(BTreeMap::keys) {
                if self.modules.contains(target) && found.insert(target.as_str()) {
                    open.push(target);
                }
            }
        }
        found
    }

    fn shown(&self, circle: &[&String]) -> String {
        let mut lines = Vec::new();
        for from in circle {
            for (to, file) in self.edges.get(*from).into_iter().flatten() {
                if circle.contains(&to) {
                    lines.push(format!("  {from} imports {to} ({file})"));
                }
            }
        }
        lines.join("\n")
    }
}
