//! Why a program may not stay what it is where it lies: others write there, it is a temporary place, or it is built
//! there. Whether it is the right program is not asked.

use super::program::BUILD_MARK;
use countersign_policy::path::AbsPath;
use countersign_policy::session::Session;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// What speaks against the place of a program, for a user who works in this session's workspace.
pub(super) fn doubts(program: &Path, session: &Session) -> Vec<String> {
    let Ok(path) = fs::canonicalize(program) else {
        return Vec::new();
    };
    let found = [
        open(program, &path),
        temporary(&path, session),
        built(&path, session),
    ];
    found.into_iter().flatten().collect()
}

/// Somebody else can put another program there.
fn open(named: &Path, path: &Path) -> Option<String> {
    let mut places = path.ancestors().chain(named.ancestors());
    let open = places.find(|place| fs::metadata(place).is_ok_and(|found| is_open(&found)))?;
    Some(format!(
        "others can change `{}`, and with it what the hook is",
        open.display()
    ))
}

/// Whether somebody beside this user and root can change a file. In a directory with the sticky bit only owners can.
fn is_open(metadata: &Metadata) -> bool {
    let own = rustix::process::getuid().as_raw();
    let foreign = metadata.uid() != 0 && metadata.uid() != own;
    let sticky = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
    foreign || (metadata.mode() & 0o022 != 0 && !sticky)
}

/// It is gone after the next start of the machine, and from then on the host refuses every call.
fn temporary(path: &Path, session: &Session) -> Option<String> {
    let path = AbsPath::parse(path.to_str()?)?;
    let mut places = session.temporary.iter();
    let place = places.find(|place| path.is_within(place))?;
    Some(format!(
        "the hook lies in the temporary directory `{place}`, and once it is gone every call is refused"
    ))
}

/// The agent that it guards against can build it anew.
fn built(path: &Path, session: &Session) -> Option<String> {
    let mark = |place: &&Path| place.join(BUILD_MARK).is_file();
    if let Some(place) = path.ancestors().skip(1).find(mark) {
        return Some(format!(
            "the hook lies in the build directory `{}`, and whoever builds there replaces it, an agent too",
            place.display()
        ));
    }
    let workspace = session.workspace.as_ref()?;
    AbsPath::parse(path.to_str()?)?
        .is_within(workspace)
        .then(|| format!("the hook lies in the workspace `{workspace}`, where agents write"))
}
