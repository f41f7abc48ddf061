//! Durations of many runs of one thing, shown as median and 99th percentile.

use std::fmt;
use std::time::Duration;

/// Durations, in any order.
#[derive(Debug, Clone, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Adds one run.
    pub fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The duration that this many of a thousand runs do not pass.
    pub fn permille(&self, permille: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted
            .get(last * permille / 1000)
            .copied()
            .unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (median, late, most) = (self.permille(500), self.permille(990), self.permille(1000));
        write!(
            f,
            "{} runs: p50 {median:.1?}, p99 {late:.1?}, longest {most:.1?}",
            self.0.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Times;
    use std::time::Duration;

    #[test]
    fn percentiles_are_of_the_sorted_runs() {
        let mut times = Times::default();
        assert_eq!(times.permille(500), Duration::ZERO);
        for millis in (0..101).rev() {
            times.add(Duration::from_millis(millis));
        }
        assert_eq!(times.permille(500), Duration::from_millis(50));
        assert_eq!(times.permille(990), Duration::from_millis(99));
    }
}
