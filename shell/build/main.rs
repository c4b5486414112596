//! Packs the rows of programs, `data/programs/*.toml`, the sets of patterns, `data/sets.toml`, and the variables
//! that control what programs run, `data/variables.toml`, into source files with constants.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a script of the build"
)]

#[allow(unreachable_pub, reason = "the library has it too")]
#[path = "../src/effects/pattern/braces.rs"]
mod braces;
mod directories;
#[allow(dead_code, unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/draft.rs"]
mod draft;
#[allow(unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/hash.rs"]
mod hash;
mod like;
#[allow(dead_code, unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/notation.rs"]
mod notation;
mod pack;
mod sets;
#[allow(dead_code, unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/shape.rs"]
mod shape;
mod variables;

use std::path::Path;
use std::{env, fs, process};

fn main() {
    let data = Path::new("data/programs");
    println!("cargo::rerun-if-changed=data/programs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/programs");
    println!("cargo::rerun-if-changed=src/effects/pattern/braces.rs");
    let mut files = Vec::new();
    for entry in fs::read_dir(data).expect("the rows of programs").flatten() {
        let path = entry.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(".toml") {
            files.push((name, fs::read_to_string(&path).expect("a file of rows")));
        }
    }
    files.sort();
    write("programs.rs", pack::pack(&files));
    println!("cargo::rerun-if-changed=data/sets.toml");
    let sets = fs::read_to_string("data/sets.toml").expect("the sets of patterns");
    println!("cargo::rerun-if-changed=data/variables.toml");
    let names = fs::read_to_string("data/variables.toml").expect("the variables");
    write(
        "variables.rs",
        variables::pack(&names).map_err(|fault| vec![format!("data/variables.toml: {fault}")]),
    );
    write("sets.rs", sets::pack(&sets).map_err(|fault| vec![format!("data/sets.toml: {fault}")]));
}

/// Writes a source file, or prints what is wrong with the data.
fn write(name: &str, source: Result<String, Vec<String>>) {
    match source {
        Ok(source) => {
            let out = env::var_os("OUT_DIR").expect("a directory for the packed data");
            fs::write(Path::new(&out).join(name), source).expect("the packed data");
        }
        Err(faults) => {
            faults.iter().for_each(|fault| eprintln!("{fault}"));
            process::exit(1);
        }
    }
}
