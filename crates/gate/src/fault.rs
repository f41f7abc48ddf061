//! The hook by which tests end a process between two steps of a write; without the feature `faults` it does nothing.

/// The places at which a process can be ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// The empty journal was made, its head record was not.
    JournalMade,
    /// Both files are there, the head record is empty.
    HeadMade,
    /// The head record says what will be appended.
    Announced,
    /// Half of it is appended.
    HalfAppended,
    /// All of it is appended.
    Appended,
    /// The head record says so.
    Settled,
    /// What takes a file's place is written beside it.
    Beside,
    /// It has taken its place.
    Renamed,
}

/// Kills the process where `COUNTERSIGN_FAULT` names the point.
#[cfg(feature = "faults")]
pub(crate) fn reach(point: Point) {
    use rustix::process::{Signal, getpid, kill_process};
    if is_wanted(point) {
        // Not `abort`, which leaves a core file behind; should it fail, the test sees the process live on.
        let _ = kill_process(getpid(), Signal::KILL);
    }
}

/// Does nothing.
#[cfg(not(feature = "faults"))]
pub(crate) const fn reach(_: Point) {}

/// Whether the test wants the process to end there.
#[cfg(feature = "faults")]
pub(crate) fn is_wanted(point: Point) -> bool {
    std::env::var("COUNTERSIGN_FAULT").is_ok_and(|name| name == format!("{point:?}"))
}

/// Never.
#[cfg(not(feature = "faults"))]
pub(crate) const fn is_wanted(_: Point) -> bool {
    false
}
