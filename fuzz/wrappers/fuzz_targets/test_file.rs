//! See `hookc_fuzz::test_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::test_file(bytes));
