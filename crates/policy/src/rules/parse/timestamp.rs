//! RFC 3339 timestamps to seconds of the Unix clock; it reads no clock.

/// The second that a timestamp with an offset names; nothing where the text is none.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let split = time.rfind(['Z', 'z', '+', '-'])?;
    let (clock, offset) = time.split_at_checked(split)?;
    let [year, month, day] = numbers(date, '-', &[4, 2, 2])?;
    let whole = match clock.split_once('.') {
        Some((whole, part)) if !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) => {
            whole
        }
        Some(_) => return None,
        None => clock,
    };
    let [hour, minute, second] = numbers(whole, ':', &[2, 2, 2])?;
    let valid = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    let local =
        valid.then(|| days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)?;
    Some(local - offset_seconds(offset)?)
}

/// Seconds east of Greenwich.
fn offset_seconds(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match text.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, text.strip_prefix('-')?),
    };
    let [hours, minutes] = numbers(rest, ':', &[2, 2])?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Numbers of fixed widths between separators.
fn numbers<const N: usize>(text: &str, separator: char, widths: &[usize; N]) -> Option<[i64; N]> {
    let mut out = [0; N];
    let mut parts = text.split(separator);
    for (slot, width) in out.iter_mut().zip(widths) {
        let part = parts.next()?;
        let digits = part.len() == *width && part.bytes().all(|byte| byte.is_ascii_digit());
        *slot = digits.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(out)
}

/// The number of days in a month.
fn days_in(year: i64, month: i64) -> i64 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, counted in years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
