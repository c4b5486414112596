//! `include/hookc.h` is what cbindgen makes of the sources.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let sources = std::fs::read_dir(here.join("src")).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<_> = sources.collect();
    sources.sort();
    let builder =
        sources.iter().fold(cbindgen::Builder::new().with_config(config), |all, one| all.with_src(one));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    // C has no such headings: what follows is about the pointers of the function.
    let header = String::from_utf8(header).unwrap().replace("// # Safety\n", "");
    hookc_corpus::expect(&here.join("include/hookc.h"), &header).unwrap();
}

#[test]
fn the_readme_shows_the_example() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [readme, example] =
        ["README.md", "examples/guard.c"].map(|name| std::fs::read_to_string(here.join(name)).unwrap());
    assert!(
        readme.contains(&format!("```c\n{example}```")),
        "README.md has another text than examples/guard.c"
    );
}
