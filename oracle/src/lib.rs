//! What the comparing programs share: seeds, mutation, real bash in a confined place, and what a tree shows.

pub mod argv;
pub mod generate;
pub mod marker;
pub mod minimise;
pub mod mutate;
pub mod options;
#[cfg(feature = "parsers")]
pub mod others;
pub mod proof;
pub mod random;
pub mod sandbox;
pub mod seeds;
pub mod shown;
pub mod stage;
pub mod truth;
pub mod verdict;
