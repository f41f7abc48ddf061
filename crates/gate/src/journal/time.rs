//! A moment in UTC with milliseconds, as the journal writes it; no time zones, no leap seconds, no durations.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 in UTC, written `2026-11-30T09:10:00.123Z` (RFC 3339).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

/// The first millisecond that has no four-digit year; a later moment is written as the last one before it.
const END: u64 = 253_402_300_800_000;
const DAY: u64 = 86_400_000;

impl Timestamp {
    /// The moment that many milliseconds after the start of 1970.
    pub const fn from_millis(millis: u64) -> Self {
        Self(if millis < END { millis } else { END - 1 })
    }

    /// The system clock's moment; a clock before 1970 counts as 1970.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let millis = since.map_or(0, |since| since.as_millis());
        Self::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// Milliseconds since the start of 1970.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// Reads exactly the form that is written.
    pub fn parse(text: &str) -> Option<Self> {
        // Every digit is replaced by `0`, so that one comparison checks the whole form.
        let form: String = text
            .chars()
            .map(|c| if c.is_ascii_digit() { '0' } else { c })
            .collect();
        if form != "0000-00-00T00:00:00.000Z" {
            return None;
        }
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
        let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
        let seconds = (number(11, 13)? * 60 + number(14, 16)?) * 60 + number(17, 19)?;
        let moment = Self::from_millis(days * DAY + seconds * 1000 + number(20, 23)?);
        // An hour 25 or a 30 February would be written differently.
        (moment.to_string() == text).then_some(moment)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date(self.0 / DAY);
        let (seconds, millis) = (self.0 % DAY / 1000, self.0 % 1000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("a time that is not RFC 3339 in UTC"))
    }
}

/// Year, month and day of a day since the start of 1970: Howard Hinnant's `civil_from_days`.
const fn date(day: u64) -> (u64, u64, u64) {
    // Counted from 1 March of the year 0, so that the leap day is the last of its year.
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    if month < 10 {
        (era * 400 + year, month + 3, day)
    } else {
        (era * 400 + year + 1, month - 9, day)
    }
}

/// The day since the start of 1970 of a date; nothing before 1970.
const fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if year < 1970 {
        return None;
    }
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = ((153 * month + 2) / 5 + day).saturating_sub(1);
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    days.checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn writes_and_reads_moments() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_796_029_800_123, "2026-11-30T09:10:00.123Z"),
            (u64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            let moment = Timestamp::from_millis(millis);
            assert_eq!(moment.to_string(), text);
            assert_eq!(Timestamp::parse(text), Some(moment));
        }
        for day in 0..60_000 {
            let moment = Timestamp::from_millis(day * 86_400_000);
            assert_eq!(Timestamp::parse(&moment.to_string()), Some(moment));
        }
    }

    #[test]
    fn refuses_what_is_no_moment() {
        for text in [
            "",
            "2026-02-30T00:00:00.000Z",
            "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:00:60.000Z",
            "2026-00-01T00:00:00.000Z",
            "2026-01-00T00:00:00.000Z",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.000+00:00",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
