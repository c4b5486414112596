//! `hookc keygen`: a pair of keys for signed modules.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use minisign::KeyPair;

use crate::args::{Global, Keygen};
use crate::exit::{Exit, Failure, Outcome};
use crate::{files, out, signed};

pub(crate) fn run(global: &Global, args: &Keygen) -> Outcome {
    let (secret, public) = (with(&args.output, "key"), with(&args.output, "pub"));
    for path in [&secret, &public] {
        if path.symlink_metadata().is_ok() {
            return Err(Failure::usage(format!(
                "{}: the file exists and is not replaced; use `-o` with another name",
                path.display()
            )));
        }
    }
    let made = match args.no_password {
        true => KeyPair::generate_unencrypted_keypair(),
        false => KeyPair::generate_encrypted_keypair(signed::password()?),
    };
    let pair = made.map_err(|error| Failure::usage(format!("cannot make a key: {error}")))?;
    let text = pair.sk.to_box(Some("secret key of hookc")).and_then(|key| Ok((key, pair.pk.to_box()?)));
    let (key, shared) = text.map_err(|error| Failure::usage(format!("cannot make a key: {error}")))?;
    write(&secret, 0o600, &key.into_string())?;
    write(&public, 0o666, &shared.into_string())?;
    out::say(
        global,
        &format!("{}: secret, keep it; {}: for `--verify-key`", files::name(&secret), files::name(&public)),
    );
    Ok(Exit::Done)
}

/// The name with an extension added: `a.b` becomes `a.b.key`.
fn with(name: &Path, extension: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

fn write(path: &Path, mode: u32, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| Failure::io(path, &error))
}
