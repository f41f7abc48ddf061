//! Hooks to install: the real one, and scripts that stand in for one that is broken.

use crate::place::{Place, write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The real hook. A run of the tests of this crate alone does not build it, so it is built where it is missing.
static REAL: LazyLock<PathBuf> = LazyLock::new(|| {
    let own = Path::new(env!("CARGO_BIN_EXE_countersign"));
    let hook = own.with_file_name("countersign-hook");
    if !hook.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "-q", "-p", "countersign-hooks"]);
        if own.parent().unwrap().ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
    }
    hook
});

/// The real hook at a place of its own, where only its owner writes.
pub(crate) fn real(place: &Place) -> PathBuf {
    let program = place.home().join("bin/countersign-hook");
    copy(&REAL, &program);
    program
}

/// A script in the place of the hook.
pub(crate) fn script(place: &Place, text: &str) -> PathBuf {
    let program = place.home().join("bin/countersign-hook");
    write(&program, &format!("#!/bin/sh\n{text}\n"));
    owned(&program);
    program
}

/// The binary under test at another place, with no hook beside it.
pub(crate) fn elsewhere(program: &Path) {
    copy(Path::new(env!("CARGO_BIN_EXE_countersign")), program);
}

/// A copy of a program. Another process writes it: a child that a test beside this one starts meanwhile would inherit
/// the file open for writing, and what is open for writing cannot be run.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(to);
    let copied = Command::new("cp").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
    owned(to);
}

/// Only the owner changes a file or puts another in its place, whatever the mask of the process is.
fn owned(program: &Path) {
    let permissions = || std::fs::Permissions::from_mode(0o755);
    for path in program.ancestors().take(3) {
        std::fs::set_permissions(path, permissions()).unwrap();
    }
}
