//! The layers of the workspace: no crate imports one above it, and the top
//! modules of no crate import one another in a circle.

mod graph;
mod imports;

use std::path::{Path, PathBuf};

use graph::Graph;

/// The published crates, lowest first. A crate imports only those before it in
/// its row.
const CRATES: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("schema", &["base"]),
    ("shell", &["base"]),
    ("history", &["base"]),
    ("vm", &["base", "shell", "history"]),
    ("syntax", &["base", "schema", "shell", "vm"]),
    ("compiler", &["base", "schema", "shell", "history", "vm", "syntax"]),
    ("runtime", &["base", "schema", "shell", "history", "vm", "syntax", "compiler"]),
    ("hookc", &["base", "schema", "shell", "history", "vm", "syntax", "compiler", "runtime"]),
    ("cli", &["base", "schema", "shell", "history", "vm", "syntax", "compiler", "runtime"]),
    ("agent", &["base", "schema", "shell", "history", "vm", "syntax", "compiler", "runtime"]),
    // It shares no code with what it judges: the words and the tree alone.
    ("oracle", &["base", "schema"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The crates of [`CRATES`] that are there.
fn present() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    CRATES.iter().filter(|(name, _)| root().join(name).join("Cargo.toml").is_file())
}

/// The crates of the workspace, by folder, that a manifest depends on to build,
/// not to test.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = !line.contains("dev-dependencies") && line.contains("dependencies");
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or("");
        if inside && (name == "hookc" || name.starts_with("hookc-")) {
            names.push(name.strip_prefix("hookc-").unwrap_or(name));
        }
    }
    names
}

#[test]
fn no_crate_imports_one_above_it() {
    for (name, below) in present() {
        let manifest = std::fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
        for dependency in dependencies(&manifest) {
            assert!(
                below.contains(&dependency),
                "`{name}` must not import `{dependency}`: below it are {below:?}"
            );
        }
    }
}

/// The one file that may have unsafe code; the crates without it forbid any.
const UNSAFE: &str = "vm/src/event/tokens/vector.rs";

#[test]
fn unsafe_code_is_in_one_file() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.split_once("members = [").unwrap().1.split_once(']').unwrap().0;
    let members = members.split('"').filter(|name| name.chars().any(char::is_alphabetic));
    for name in members.filter(|name| *name != "vm").chain(["agent", "agent/fuzz"]) {
        let files = ["src/lib.rs", "src/main.rs"].map(|file| root().join(name).join(file));
        let mut roots = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).peekable();
        assert!(roots.peek().is_some(), "`{name}` has no source");
        assert!(
            roots.all(|root| root.contains("#![forbid(unsafe_code)]")),
            "`{name}` forbids no unsafe code"
        );
    }
    assert!(manifest.contains("unsafe_code = \"deny\""));
    let mut lifting = Vec::new();
    files(&root().join("vm/src"), &mut |file, text| {
        if text.contains("(unsafe_code") {
            lifting.push(file.strip_prefix(root()).unwrap().to_owned());
        }
    });
    assert_eq!(lifting, [Path::new(UNSAFE)]);
}

/// Every file below a folder, with its text.
fn files(folder: &Path, see: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, see);
        } else {
            see(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn no_modules_import_one_another_in_a_circle() {
    let mut circles = Vec::new();
    for (name, _) in present() {
        let graph = imports::of_crate(&root().join(name).join("src"));
        assert!(graph.modules() > 0, "the modules of `{name}` were found");
        circles.extend(graph.circles().into_iter().map(|circle| format!("{name}:\n{circle}")));
    }
    assert!(circles.is_empty(), "circles of modules\n{}", circles.join("\n"));
}

#[test]
fn no_verbs_import_one_another_in_a_circle() {
    let graph = imports::of_folder(&root().join("cli/src/cmd"), "crate::cmd::");
    assert!(graph.modules() > 30, "the verbs were found");
    assert_eq!(graph.circles(), [""; 0]);
}

#[test]
fn a_dependency_is_found_and_one_of_tests_is_not_counted() {
    let manifest = "[package]\nname = \"hookc-x\"\n[dependencies]\nserde.workspace = true\n\
                    hookc-vm.workspace = true\n[target.'cfg(unix)'.dependencies]\nhookc-syntax = { path = \"../syntax\" }\n\
                    [dev-dependencies]\nhookc-compiler.workspace = true\n";
    assert_eq!(dependencies(manifest), ["vm", "syntax"]);
}

#[test]
fn a_circle_is_found_and_its_imports_are_named() {
    let mut graph = Graph::default();
    let lib = "mod a;\nmod b;\nmod c;\npub use b::{Inner, deep::Other as Renamed};\n";
    graph.file("lib.rs", lib);
    graph.file("a.rs", "use crate::{c, Inner};\n// use crate::a;\nconst TEXT: &str = \"crate::a\";\n");
    graph.file("b/mod.rs", "use super::c::{self, One};\n");
    graph.file("b/deep.rs", "use super::super::c;\n");
    graph.file("c.rs", "#[cfg(test)]\nmod tests {\n    use crate::a::X;\n}\n");
    assert_eq!(graph.circles(), [""; 0]);
    graph.file("c.rs", "fn f() -> crate::a::X { crate::a::x() }\n");
    let [circle] = &graph.circles()[..] else { panic!("one circle: {:?}", graph.circles()) };
    assert_eq!(
        circle,
        "  a imports b (a.rs)\n  a imports c (a.rs)\n  b imports c (b/mod.rs)\n  c imports a (c.rs)"
    );
}

#[test]
fn a_name_that_is_re_exported_leads_to_its_module() {
    let mut graph = Graph::default();
    graph.file("lib.rs", "mod a;\nmod b;\npub use b::{Inner, deep::Other as Renamed};\n");
    graph.file("a.rs", "use crate::Renamed;\n");
    graph.file("b.rs", "use crate::a;\n");
    assert_eq!(graph.circles(), ["  a imports b (a.rs)\n  b imports a (b.rs)"]);
}
