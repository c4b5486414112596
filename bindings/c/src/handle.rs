//! Opaque handles: an allocation that starts with the tag of its kind.

use hookc_bindings::{Failure, Status};

use crate::border::null;

/// A type that C knows by pointer only.
pub(crate) trait Opaque: Sized {
    /// What is after the pointer. Threads share it.
    type Value: Send + Sync;
    /// The tag of the kind.
    const TAG: u64;
    /// The kind, for messages.
    const NAME: &'static str;
}

#[repr(C)]
struct Tagged<V> {
    tag: u64,
    value: V,
}

/// A new handle.
pub(crate) fn new<T: Opaque>(value: T::Value) -> *mut T {
    Box::into_raw(Box::new(Tagged { tag: T::TAG, value })).cast()
}

/// The object of a handle.
///
/// # Safety
/// `handle` is null or a handle of this library, of any kind, that is not freed during `'a`.
pub(crate) unsafe fn get<'a, T: Opaque>(handle: *const T) -> Result<&'a T::Value, Failure> {
    let tagged = handle.cast::<Tagged<T::Value>>();
    if tagged.is_null() {
        return Err(null(T::NAME));
    }
    // SAFETY: every handle, of any kind, starts with a tag; an address that is not aligned is no
    // handle.
    if !tagged.is_aligned() || unsafe { tagged.cast::<u64>().read() } != T::TAG {
        return Err(Failure::new(Status::Handle, format!("`{}` is not a handle of its kind", T::NAME)));
    }
    // SAFETY: the tag proves the type, and the caller that it is alive.
    Ok(unsafe { &(*tagged).value })
}

/// Frees a handle. Null, and a handle of another kind, are left alone.
///
/// # Safety
/// As [`get`], and no other thread uses the handle.
pub(crate) unsafe fn free<T: Opaque>(handle: *mut T) {
    // SAFETY: the caller's word.
    if unsafe { get(handle.cast_const()) }.is_err() {
        return;
    }
    let tagged = handle.cast::<Tagged<T::Value>>();
    crate::border::look(|| {
        // SAFETY: `new` made it, its tag proves the type, and nobody else uses it.
        let mut owned = unsafe { Box::from_raw(tagged) };
        // A second free of the same memory, if nothing else has it yet, finds no tag.
        owned.tag = 0;
        Ok(())
    });
}
