//! Compresses the tests of the starters and recipes, which few commands read: `NAME.zlib` in `starters` and `recipes`
//! of `OUT_DIR`.

#![allow(clippy::disallowed_methods, reason = "a script of the build")]

use std::path::Path;
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec_zlib;

const LEVEL: u8 = 9;

fn main() -> io::Result<()> {
    let missing = |name: &str| io::Error::other(format!("{name} is not set"));
    let root = env::var("CARGO_MANIFEST_DIR").map_err(|_| missing("CARGO_MANIFEST_DIR"))?;
    let out = env::var("OUT_DIR").map_err(|_| missing("OUT_DIR"))?;
    for kind in ["starters", "recipes"] {
        println!("cargo::rerun-if-changed={kind}");
        let to = Path::new(&out).join(kind);
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(Path::new(&root).join(kind))? {
            let folder = entry?.path();
            let tests = folder.join("hooks.test.yaml");
            if let (true, Some(name)) = (tests.is_file(), folder.file_name()) {
                let packed = compress_to_vec_zlib(&fs::read(tests)?, LEVEL);
                fs::write(to.join(name).with_extension("zlib"), packed)?;
            }
        }
    }
    Ok(())
}
