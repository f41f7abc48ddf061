//! Reading a regular file and nothing else: no pipe, terminal or device can keep us waiting.

use countersign_policy::path::AbsPath;
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;

/// Reads at most `limit` bytes from the start of a regular file.
pub(super) fn read(path: &AbsPath, limit: u64) -> io::Result<Vec<u8>> {
    // Opening a device may do something by itself, so it is asked first and once more after opening.
    refuse_unless_file(&fs::metadata(path.as_str())?)?;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path.as_str())?;
    refuse_unless_file(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether an error says that there is no such file.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn refuse_unless_file(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("not a regular file"))
    }
}
