//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

/// The bytes in lower case, two digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
