//! `include/hookc.h` is what cbindgen makes of the sources.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let sources = std::fs::read_dir(here.join("src")).unwrap().map(|entry| entry.unwrap().path());
    // cbindgen follows the modules of lib.rs, and would declare everything twice.
    let mut sources: Vec<_> = sources.filter(|path| !path.ends_with("lib.rs")).collect();
    sources.sort();
    let builder =
        sources.iter().fold(cbindgen::Builder::new().with_config(config), |all, one| all.with_src(one));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    // C has no such headings: what follows is about the pointers of the function.
    let header = String::from_utf8(header).unwrap().replace("// # Safety\n", "");
    for name in header.lines().filter_map(declared) {
        let declarations = header.lines().filter(|line| declared(line) == Some(name));
        assert_eq!(declarations.count(), 1, "{name}");
    }
    hookc_corpus::expect(&here.join("include/hookc.h"), &header).unwrap();
}

/// The function that a line of a header declares.
fn declared(line: &str) -> Option<&str> {
    let start = line.find("hookc_").filter(|_| !line.starts_with(['/', ' ']))?;
    line.get(start..)?.split_once('(').map(|(name, _)| name)
}

#[test]
fn the_readme_shows_the_examples() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(here.join(name)).unwrap();
    for name in ["examples/guard.c", "examples/session.c"] {
        let shown = read("README.md").contains(&format!("```c\n{}```", read(name)));
        assert!(shown, "README.md has another text than {name}");
    }
}
