//! Signatures of modules: signing with `compile --sign`, and `--verify-key` of every verb that loads
//! a module.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal as _, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookc_runtime::open;
use hookc_runtime::signed::{self, ModuleError, SIGNATURE_BYTES, SUFFIX, Signed, Verifier};
use minisign::{PublicKey, PublicKeyBox, SecretKey, SecretKeyBox};

use crate::exit::Failure;
use crate::{files, state};

/// The variable with the password of a secret key.
const PASSWORD: &str = "HOOKC_KEY_PASSWORD";

/// The password of a secret key; `None` if the library asks for it on the terminal.
pub(crate) fn password() -> Result<Option<String>, Failure> {
    match std::env::var(PASSWORD) {
        Ok(password) => Ok(Some(password)),
        Err(_) if io::stdin().is_terminal() => Ok(None),
        Err(_) => Err(Failure::usage(format!(
            "the secret key needs a password: set {PASSWORD}, or call hookc from a terminal, which asks for it"
        ))),
    }
}

/// The file of the signature of a module.
fn beside(module: &Path) -> PathBuf {
    let mut name = module.as_os_str().to_owned();
    name.push(SUFFIX);
    name.into()
}

/// A secret key that was opened.
pub(crate) struct Signer(SecretKey);

impl Signer {
    pub(crate) fn open(key: &Path) -> Result<Self, Failure> {
        let wrong = |why: &dyn std::fmt::Display| {
            Failure::usage(format!("{}: not a secret key: {why}", key.display()))
        };
        let bytes = files::bytes(key, SIGNATURE_BYTES)?;
        let text = String::from_utf8(bytes).map_err(|_| wrong(&"not UTF-8"))?;
        if PublicKeyBox::from_string(&text).and_then(PublicKeyBox::into_public_key).is_ok() {
            return Err(wrong(
                &"it is the public key; `hookc keygen` writes the secret one to a file that ends with .key",
            ));
        }
        let boxed = || SecretKeyBox::from_string(&text).map_err(|error| wrong(&error));
        match boxed()?.into_unencrypted_secret_key() {
            Ok(key) => Ok(Self(key)),
            Err(error) if !error.to_string().contains("might be encrypted") => Err(wrong(&error)),
            Err(_) => boxed()?.into_secret_key(password()?).map(Self).map_err(|error| wrong(&error)),
        }
    }

    /// Writes the signature of a module, next to its file.
    pub(crate) fn sign(&self, module: &Path, bytes: &[u8], days: Option<u32>) -> Result<(), Failure> {
        let failed = |error: minisign::PError| Failure::usage(format!("cannot sign: {error}"));
        let name = module.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains(['\t', '\n', '\r']) {
            return Err(Failure::usage("the name of a signed module has no tabs and no line breaks"));
        }
        let now = signed::now();
        let expires = days.map(|days| format!("\texpires:{}", now.saturating_add(u64::from(days) * 86_400)));
        let comment = format!("timestamp:{now}\tfile:{name}\thashed{}", expires.unwrap_or_default());
        let public = PublicKey::from_secret_key(&self.0).map_err(failed)?;
        let signature =
            minisign::sign(Some(&public), &self.0, bytes, Some(&comment), Some("signature of hookc"));
        files::write(&beside(module), signature.map_err(failed)?.into_string().as_bytes())
    }
}

/// A module whose signature is valid.
pub(crate) struct Verified<'m> {
    module: &'m Path,
    signed: Signed,
    /// The files that remember when the last module was signed.
    records: Vec<PathBuf>,
}

impl Verified<'_> {
    /// Remembers when the module was signed: an older one is rejected from then on. To be called for a module that
    /// was loaded, so that one that cannot be loaded does not take the place of those before.
    pub(crate) fn remember(self) -> Result<(), Failure> {
        for record in &self.records {
            let last = last_signed(record, &self.signed).map_err(|error| {
                Failure::input(format!(
                    "{}: cannot read or write when the last module was signed: {error}",
                    record.display()
                ))
            })?;
            self.signed.check_age(last).map_err(|error| rejected(self.module, error))?;
        }
        Ok(())
    }
}

fn rejected(path: &Path, error: ModuleError) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// Verifies the signature next to a module.
pub(crate) fn verify<'m>(module: &'m Path, bytes: &[u8], key: &Path) -> Result<Verified<'m>, Failure> {
    let text = |path: &Path| -> Result<String, Failure> {
        String::from_utf8(files::bytes(path, SIGNATURE_BYTES)?)
            .map_err(|_| Failure::usage(format!("{}: not UTF-8", path.display())))
    };
    let key_text = text(key)?;
    let verifier = Verifier::new(&key_text).map_err(|error| rejected(key, error))?;
    let signature = beside(module);
    if signature.symlink_metadata().is_err() {
        let what = ModuleError::Unsigned;
        return Err(Failure::input(format!(
            "{}: {what}: there is no {}",
            module.display(),
            signature.display()
        )));
    }
    let verified = || -> Result<Signed, ModuleError> {
        let signature = text(&signature).map_err(|_| ModuleError::Malformed)?;
        let signed = verifier.verify(bytes, &signature, signed::now())?;
        signed.check_name(&module.file_name().unwrap_or_default().to_string_lossy())?;
        Ok(signed)
    };
    let signed = verified().map_err(|error| rejected(module, error))?;
    let records = records(module, &key_text)?;
    Ok(Verified { module, signed, records })
}

/// The files that record when the newest module at a path was signed with a key: one for the path as it is named, which
/// can become a link to an older module, and one for the file itself.
fn records(module: &Path, key: &str) -> Result<Vec<PathBuf>, Failure> {
    let missing = || Failure::usage("there is no directory for state: set HOME or XDG_STATE_HOME");
    let folder = state::folder().ok_or_else(missing)?.join("signed");
    let failed = |error: io::Error| Failure::io(module, &error);
    let named = std::path::absolute(module).map_err(failed)?;
    let absolute = std::fs::canonicalize(module).map_err(failed)?;
    std::fs::create_dir_all(&folder).map_err(|error| Failure::io(&folder, &error))?;
    let record = |path: &Path| {
        let mut hash = blake3::Hasher::new();
        // The first line of a key is a comment.
        hash.update(key.lines().nth(1).unwrap_or_default().as_bytes());
        hash.update(b"\n");
        hash.update(path.as_os_str().as_encoded_bytes());
        folder.join(hash.finalize().to_hex().as_str())
    };
    let mut places = vec![named, absolute];
    places.dedup();
    Ok(places.iter().map(|place| record(place)).collect())
}

/// How long another process may write what was signed last.
const LOCK_WAIT: Duration = Duration::from_secs(1);

/// When the last module was signed; this one is remembered if it is newer.
fn last_signed(record: &Path, signed: &Signed) -> io::Result<u64> {
    let mut file: File =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(record)?;
    open::lock(&file, LOCK_WAIT)?;
    let mut text = String::new();
    (&file).take(64).read_to_string(&mut text)?;
    let last = match text.trim() {
        "" => 0,
        time => time.parse().map_err(|_| io::Error::other("it has no time; remove it to start again"))?,
    };
    if signed.time > last {
        // Always as many bytes, in one write: a process that ends here leaves the old or the new time.
        file.rewind()?;
        file.write_all(format!("{:020}\n", signed.time).as_bytes())?;
    }
    Ok(last)
}
