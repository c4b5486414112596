//! Packs the rows of programs, `data/programs/*.toml`, into a source file with constants.

#[allow(dead_code, unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/draft.rs"]
mod draft;
#[allow(dead_code, unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/notation.rs"]
mod notation;
mod pack;
#[allow(dead_code, unreachable_pub, reason = "the library has it too")]
#[path = "../src/programs/shape.rs"]
mod shape;

use std::path::Path;
use std::{env, fs, process};

fn main() {
    let data = Path::new("data/programs");
    println!("cargo::rerun-if-changed=data/programs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/programs");
    let mut files = Vec::new();
    for entry in fs::read_dir(data).expect("the rows of programs").flatten() {
        let path = entry.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(".toml") {
            files.push((name, fs::read_to_string(&path).expect("a file of rows")));
        }
    }
    files.sort();
    match pack::pack(&files) {
        Ok(source) => {
            let out = env::var_os("OUT_DIR").expect("a directory for the packed rows");
            fs::write(Path::new(&out).join("programs.rs"), source).expect("the packed rows");
        }
        Err(faults) => {
            faults.iter().for_each(|fault| eprintln!("{fault}"));
            process::exit(1);
        }
    }
}
