//! See `hookc_fuzz::schema`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::schema(bytes));
