//! Fuzz target: see `countersign_fuzz::read_anything`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| countersign_fuzz::read_anything(text));
