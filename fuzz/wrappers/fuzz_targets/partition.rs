//! See `hookc_fuzz::partition`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::partition(bytes));
