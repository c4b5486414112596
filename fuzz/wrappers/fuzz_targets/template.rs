//! See `hookc_fuzz::template`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::template(bytes));
