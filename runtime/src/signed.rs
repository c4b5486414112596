//! Signed modules: who made a module, when, and until when it may be loaded.
//!
//! A signature is a file of [minisign](https://jedisct1.github.io/minisign/) next to the module, so
//! `minisign -V` verifies it too. It covers all bytes of the module and the trusted comment, which
//! has fields with tabs between them: `timestamp:` (seconds since 1970, required), `file:` (the name
//! of the module), `expires:` (seconds since 1970), and the marks `hashed` and `prehashed` of the
//! programs that sign. A comment with anything else is rejected, because it could state a limit that
//! would not be kept.
//!
//! ```
//! use hookc_runtime::signed::{ModuleError, Verifier};
//!
//! let key = "untrusted comment: minisign public key\n\
//!            RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n";
//! let verifier = Verifier::new(key).unwrap();
//! let error = verifier.verify(b"module", "no signature", 0).unwrap_err();
//! assert!(matches!(error, ModuleError::Malformed));
//! ```

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use hookc_vm::LoadError;
use minisign_verify::{Error, PublicKey, Signature};

use crate::limits::CLOCK_SKEW;

/// The largest signature file, in bytes.
pub const SIGNATURE_BYTES: usize = 4 << 10;

/// What the name of a signature file adds to the name of its module.
pub const SUFFIX: &str = ".minisig";

/// Verifies signatures with one public key.
#[derive(Clone, Debug)]
pub struct Verifier(PublicKey);

/// What a valid signature states about its module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signed {
    /// When it was signed, in seconds since 1970. A module with an earlier time is older.
    pub time: u64,
    /// When it expires, in seconds since 1970.
    pub expires: Option<u64>,
    /// The name of the module's file.
    pub file: Option<String>,
}

/// Why a module is rejected.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModuleError {
    /// The text is no public key.
    Key,
    /// There is no signature.
    Unsigned,
    /// There is a signature, and no key to verify it with.
    NoKey,
    /// The text is not a signature.
    Malformed,
    /// Another key made the signature.
    OtherKey,
    /// The module or the comment is not what was signed.
    Altered,
    /// The comment has no time, or a field that has no meaning here.
    Comment(String),
    /// It expired at this time, in seconds since 1970.
    Expired(u64),
    /// It expires, and the clock is before the time when it was signed, so the clock is wrong.
    Clock {
        /// When it was signed, in seconds since 1970.
        time: u64,
        /// What the clock says.
        now: u64,
    },
    /// It was signed before the module that is active or was loaded before.
    Older {
        /// When it was signed, in seconds since 1970.
        time: u64,
        /// When the other one was signed.
        other: u64,
    },
    /// It was signed under another file name.
    OtherFile {
        /// The name in the signature.
        signed: String,
        /// The name of the file.
        loaded: String,
    },
    /// It is not sound.
    Load(LoadError),
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("not a public key of minisign (two lines: a comment, then Base64)"),
            Self::Unsigned => f.write_str("the module has no signature"),
            Self::NoKey => f.write_str("there is no key to verify the signature with"),
            Self::Malformed => f.write_str("the signature is not one of minisign (four lines)"),
            Self::OtherKey => f.write_str("the signature was made with another key"),
            Self::Altered => f.write_str("the module or its signature was altered after it was signed"),
            Self::Comment(why) => write!(f, "the trusted comment of the signature {why}"),
            Self::Expired(at) => write!(f, "the signature expired at {at} (seconds since 1970)"),
            Self::Clock { time, now } => write!(
                f,
                "the clock is wrong: it says {now}, before the module was signed at {time} (seconds since 1970), so \
                 it cannot tell whether the signature has expired"
            ),
            Self::Older { time, other } => write!(
                f,
                "the module is older than the last one: signed at {time}, the other at {other} (seconds since 1970)"
            ),
            Self::OtherFile { signed, loaded } => {
                write!(f, "the module was signed under the name `{signed}`, and the file is `{loaded}`")
            }
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ModuleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Load(error) => Some(error),
            _ => None,
        }
    }
}

impl Verifier {
    /// The public key in a file of minisign: a comment line, then the key in Base64.
    ///
    /// # Errors
    /// [`ModuleError::Key`].
    pub fn new(key: &str) -> Result<Self, ModuleError> {
        PublicKey::decode(key).map(Self).map_err(|_| ModuleError::Key)
    }

    /// Verifies a signature of a module, and that it has not expired `now` (seconds since 1970, see
    /// [`now`]). A signature that expires is rejected too if `now` is more than [`CLOCK_SKEW`] before it was made:
    /// a clock that was set back would otherwise extend it. Cost: one pass over the module and two verifications of Ed25519.
    ///
    /// # Errors
    /// All but those about other modules: [`ModuleError::Older`], [`ModuleError::OtherFile`].
    pub fn verify(&self, module: &[u8], signature: &str, now: u64) -> Result<Signed, ModuleError> {
        if signature.len() > SIGNATURE_BYTES {
            return Err(ModuleError::Malformed);
        }
        let signature = Signature::decode(signature).map_err(|_| ModuleError::Malformed)?;
        self.0.verify(module, &signature, false).map_err(|error| match error {
            Error::UnexpectedKeyId => ModuleError::OtherKey,
            Error::UnexpectedAlgorithm => ModuleError::Malformed,
            _ => ModuleError::Altered,
        })?;
        let signed = Signed::parse(signature.trusted_comment())?;
        match signed.expires {
            Some(at) if at <= now => Err(ModuleError::Expired(at)),
            Some(_) if signed.time > now.saturating_add(CLOCK_SKEW.as_secs()) => {
                Err(ModuleError::Clock { time: signed.time, now })
            }
            _ => Ok(signed),
        }
    }
}

impl Signed {
    fn parse(comment: &str) -> Result<Self, ModuleError> {
        let wrong = |why: String| ModuleError::Comment(why);
        let seconds = |name: &str, text: &str| {
            text.parse::<u64>().map_err(|_| wrong(format!("has `{name}:` without a number of seconds")))
        };
        let (mut time, mut expires, mut file) = (None, None, None);
        for field in comment.split('\t') {
            let is_again = match field.split_once(':') {
                Some(("timestamp", at)) => time.replace(seconds("timestamp", at)?).is_some(),
                Some(("expires", at)) => expires.replace(seconds("expires", at)?).is_some(),
                Some(("file", name)) => file.replace(name.to_owned()).is_some(),
                _ if matches!(field, "hashed" | "prehashed") => false,
                _ => return Err(wrong("has a field that is not `timestamp:`, `file:` or `expires:`".into())),
            };
            if is_again {
                return Err(wrong("has a field twice".into()));
            }
        }
        let time = time.ok_or_else(|| wrong("has no `timestamp:`".into()))?;
        Ok(Self { time, expires, file })
    }

    /// Checks that the module is loaded under the file name under which it was signed, if the
    /// signature has one: otherwise another signed module could take its place.
    ///
    /// # Errors
    /// [`ModuleError::OtherFile`].
    pub fn check_name(&self, loaded: &str) -> Result<(), ModuleError> {
        match &self.file {
            Some(signed) if signed != loaded => {
                Err(ModuleError::OtherFile { signed: signed.clone(), loaded: loaded.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Checks that it is not older than another one, which was signed at this time. The same time
    /// is accepted.
    ///
    /// # Errors
    /// [`ModuleError::Older`].
    pub fn check_age(&self, other: u64) -> Result<(), ModuleError> {
        match self.time < other {
            true => Err(ModuleError::Older { time: self.time, other }),
            false => Ok(()),
        }
    }
}

/// The time of the system, in seconds since 1970; 0 before that, when no signature that expires is
/// accepted.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
