//! The `#!` line of a file; which interpreter it means is told elsewhere.

use super::regular;
use countersign_policy::path::AbsPath;
use countersign_policy::world::Found;

/// As much as the Linux kernel looks at.
const HEAD_BYTES: u64 = 256;

/// Answers the question for a file's first line, where it begins with `#!`.
pub(super) fn look(path: &AbsPath) -> Found {
    let head = match regular::read(path, HEAD_BYTES) {
        Ok(head) => head,
        Err(error) if regular::is_missing(&error) => return Found::Text(None),
        Err(error) => return Found::Failed(format!("`{path}`: {error}")),
    };
    if !head.starts_with(b"#!") {
        return Found::Text(None);
    }
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match String::from_utf8(line.to_vec()) {
        Ok(line) => Found::Text(Some(line)),
        Err(_) => Found::Failed(format!("`{path}` begins with a line that is not UTF-8")),
    }
}
