//! The time by which a hook has to have answered: well before its host would give up on it.

use std::time::{Duration, Instant};

/// The time that a hook takes at most, where nothing else is said. The host waits for three times as long.
pub const USUAL: Duration = Duration::from_secs(20);
/// The longest time that can be asked for; what is installed tells the host to wait for longer than that.
pub const LONGEST: Duration = Duration::from_secs(50);
/// The variable that says another time, in milliseconds.
pub const VARIABLE: &str = "COUNTERSIGN_HOOK_DEADLINE_MS";

/// A moment by which there has to be an answer.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    began: Instant,
    limit: Duration,
}

impl Deadline {
    /// The deadline of this process, counted from now.
    pub fn of_process() -> Self {
        let named = std::env::var(VARIABLE).ok();
        let named = named.and_then(|text| text.parse().ok());
        Self::after(named.map_or(USUAL, Duration::from_millis))
    }

    /// So much time from now on.
    pub fn after(limit: Duration) -> Self {
        Self {
            began: Instant::now(),
            limit: limit.min(LONGEST),
        }
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.limit.saturating_sub(self.began.elapsed())
    }

    /// The time that is left to begin something, so that it is done before the deadline.
    pub fn left_to_begin(&self) -> Duration {
        self.left().saturating_sub(self.limit / 10)
    }

    /// The whole time.
    pub const fn limit(&self) -> Duration {
        self.limit
    }
}
