//! What the benches and the measuring programs share: a made-up machine, recorded commands, counts and times.

pub mod machine;
pub mod rows;
pub mod tally;
pub mod times;
