//! Fuzz target: see `countersign_fuzz::judge_anything`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| countersign_fuzz::judge_anything(text));
