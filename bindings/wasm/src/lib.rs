//! hookc as a WebAssembly module: plain exports, no imports, no JavaScript.
//!
//! ```text
//! host bytes ──alloc, write──▶ load(module) ──▶ handle
//! host bytes ──alloc, write──▶ decide(handle, event) ──▶ status; result = decision as JSON
//! ```
//!
//! An instance is used by one thread. Every function that can fail returns a status: 0, or a
//! handle, if it worked; a negative number, the negated [`Status`](hookc_bindings::Status), if it
//! failed. [`result_ptr`](exports::result_ptr) and [`result_length`](exports::result_length) then give
//! what it made: the result, or the failure as JSON (`kind`, `code`, `message`, `location`,
//! `rendered`, `diagnostics`). A result is valid until the next call.
//!
//! Every pointer and handle is checked: an input must be within memory that
//! [`alloc`](exports::alloc) gave and [`free`](exports::free) did not take back. What is left are
//! traps: an allocation inside hookc that finds no memory, and a fault of hookc itself. After a
//! trap, use a new instance.

mod buffers;
#[cfg(feature = "compiler")]
mod compile;
pub mod exports;
mod instance;
mod session;
