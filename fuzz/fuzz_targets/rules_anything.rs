//! Fuzz target: see `countersign_fuzz::rules_anything`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| countersign_fuzz::rules_anything(text));
