//! Tests of the rule language and the judge, through their public functions.

// The attribute tells the linter that helpers are tests too and may unwrap.
#[cfg(test)]
mod world;
#[cfg(test)]
mod builtin;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod judging;
#[cfg(test)]
mod model;
#[cfg(test)]
mod patterns;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod overlap;
