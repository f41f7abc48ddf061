//! Tests of the rule language and the judge, through their public functions.

mod world;
mod builtin;
mod errors;
mod judging;
mod model;
mod patterns;
mod properties;
