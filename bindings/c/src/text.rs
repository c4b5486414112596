//! Text and bytes that cross the border.

use std::ffi::{CStr, c_char};

use hookc_bindings::Failure;

use crate::border::null;

/// UTF-8 text of a length, without a NUL at its end. As an argument, a null `data` of length 0 is
/// "not given". As a result, it belongs to the handle that it came from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HookcText {
    /// Its first byte; not null in results.
    pub data: *const c_char,
    /// Its bytes.
    pub length: usize,
}

impl From<&str> for HookcText {
    fn from(text: &str) -> Self {
        Self { data: text.as_ptr().cast(), length: text.len() }
    }
}

impl Default for HookcText {
    fn default() -> Self {
        Self::from("")
    }
}

impl HookcText {
    /// The text; `None` if it is not given.
    ///
    /// # Safety
    /// `data` is null or valid for `length` bytes during `'a`.
    pub(crate) unsafe fn get<'a>(self, name: &str) -> Result<Option<&'a str>, Failure> {
        if self.data.is_null() && self.length == 0 {
            return Ok(None);
        }
        // SAFETY: the caller's word.
        let bytes = unsafe { bytes(self.data.cast(), self.length, name) }?;
        let invalid = |error: std::str::Utf8Error| {
            Failure::argument(format!("`{name}` is not UTF-8 at byte {}", error.valid_up_to()))
        };
        std::str::from_utf8(bytes).map(Some).map_err(invalid)
    }
}

/// Bytes of an argument. No bytes can be at a null pointer.
///
/// # Safety
/// `data` is null or valid for `length` bytes during `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, length: usize, name: &str) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller's word.
    unsafe { slice(data, length, name) }
}

/// Values of an argument. No values can be at a null pointer.
///
/// # Safety
/// `data` is null or valid for `length` values during `'a`.
pub(crate) unsafe fn slice<'a, T>(data: *const T, length: usize, name: &str) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(null(name));
    }
    let most = isize::MAX.unsigned_abs() / size_of::<T>().max(1);
    if length > most || !data.is_aligned() {
        return Err(Failure::argument(format!("`{name}` cannot have {length} values at its address")));
    }
    // SAFETY: not null, aligned, not larger than memory can be; the caller says that it is valid.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// A text that ends with NUL, as a [`HookcText`] of the same memory. Null is "not given".
///
/// # Safety
/// `text` is null or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_text(text: *const c_char) -> HookcText {
    if text.is_null() {
        return HookcText { data: text, length: 0 };
    }
    // SAFETY: not null; the caller says that it ends with NUL.
    HookcText { data: text, length: unsafe { CStr::from_ptr(text) }.count_bytes() }
}

/// The version of this library, such as `0.1.0`: static, ends with NUL.
#[unsafe(no_mangle)]
pub extern "C" fn hookc_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
