//! The instructions that the tokens are found with.

#[cfg(target_arch = "x86_64")]
pub use super::vector::Level;

/// Instructions that this processor has: none that are of use here.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level;

#[cfg(not(target_arch = "x86_64"))]
impl Level {
    /// The only one.
    #[must_use]
    pub const fn best() -> Self {
        Self
    }

    /// Its name: `portable`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        "portable"
    }

    /// Reads all events of this process with these instructions, as it does anyway.
    pub fn choose(self) -> bool {
        true
    }

    /// The level with this name; `None` if this processor does not have it.
    pub fn named(name: &str) -> Option<Self> {
        (name == "portable").then_some(Self)
    }

    pub(in super::super) fn ascii(self, _: &[u8]) -> Option<&str> {
        None
    }

    /// Bytes as a text if they are UTF-8.
    pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
        simdutf8::basic::from_utf8(bytes).ok()
    }

    pub(super) fn read(self, _: &mut super::Tokens, _: &str, _: usize) -> bool {
        false
    }
}
