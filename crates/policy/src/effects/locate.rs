//! From the words of a command to paths and hosts, as written; nothing is looked up.

use crate::effects::command::Field;
use crate::effects::opacity::Opacity;
use crate::effects::value::{literal_prefix, split_pattern};
use crate::path::AbsPath;
use crate::request::PathTarget;

/// Whether a path goes through what the kernel shows of a process's own view of the files.
fn is_process_view(text: &str) -> bool {
    let mut parts = text
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".");
    parts.next() == Some("proc")
        && text.starts_with('/')
        && parts
            .skip(1)
            .any(|part| matches!(part, "root" | "cwd" | "map_files"))
}

/// Longer paths than this, in bytes, name nothing that Linux could open.
const MOST_BYTES: usize = 4096;

/// The places that a word names from each of the working directories.
pub(crate) fn path(field: &Field, cwd: &[AbsPath]) -> Result<PathTarget, Opacity> {
    let length = match field {
        Field::Known(text) | Field::Names(text) | Field::Listed(text) => text.len(),
        Field::Unknown { .. } => 0,
    };
    // Another process's root, directory and files, by which any path has a second name.
    if let Field::Known(text) | Field::Names(text) | Field::Listed(text) = field
        && is_process_view(text)
    {
        return Err(Opacity::ComputedPath);
    }
    if length > MOST_BYTES {
        return Err(Opacity::TooLarge);
    }
    match field {
        Field::Known(text) => Ok(PathTarget {
            written: text.clone(),
            places: places(text, cwd)?,
            pattern: None,
            recursive: false,
        }),
        Field::Names(pattern) | Field::Listed(pattern) => {
            let (directory, rest) = split_pattern(pattern);
            Ok(PathTarget {
                written: pattern.clone(),
                places: places(&directory, cwd)?,
                pattern: Some(rest),
                recursive: false,
            })
        }
        Field::Unknown { .. } => Err(Opacity::ComputedPath),
    }
}

/// The path that a text names from each of the working directories.
pub(crate) fn places(text: &str, cwd: &[AbsPath]) -> Result<Vec<AbsPath>, Opacity> {
    if let Some(absolute) = AbsPath::parse(text) {
        return Ok(vec![absolute]);
    }
    if cwd.is_empty() {
        return Err(Opacity::UnknownDirectory);
    }
    Ok(cwd.iter().map(|directory| directory.join(text)).collect())
}

/// Whether a path goes up again after it went down: where the directory in between is a link, it leads elsewhere than
/// its text says.
pub(crate) fn climbs(text: &str) -> bool {
    let mut down = false;
    text.split('/').any(|component| match component {
        "" | "." => false,
        ".." => down,
        _ => {
            down = true;
            false
        }
    })
}

/// What a word that names a host leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reached {
    /// A host, in lower case, with a port where one is given that is not its scheme's own.
    Host(String),
    /// A path of this machine.
    Local(String),
    /// It cannot be told.
    Unknown,
}

/// The host that a URL, `user@host:path` or bare host names.
pub(crate) fn host(field: &Field) -> Reached {
    let (text, whole) = match field {
        Field::Known(text) => (text.clone(), true),
        Field::Names(pattern) | Field::Listed(pattern) => (literal_prefix(pattern), false),
        Field::Unknown { prefix, .. } => (prefix.clone(), false),
    };
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, text.as_str()),
    };
    if scheme.as_deref() == Some("file") {
        return if whole {
            Reached::Local(rest.to_owned())
        } else {
            Reached::Unknown
        };
    }
    if scheme.is_none() && (rest.starts_with(['/', '.', '~']) || rest.is_empty()) {
        return if whole {
            Reached::Local(rest.to_owned())
        } else {
            Reached::Unknown
        };
    }
    let end = rest.find(['/', '?', '#']);
    if end.is_none() && !whole {
        // The host's name itself may go on in the part that is not known.
        return Reached::Unknown;
    }
    let authority = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
    let authority = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    name(authority, scheme.as_deref())
}

fn name(authority: &str, scheme: Option<&str>) -> Reached {
    let (host, port) = match authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some((address, rest)) => (address, rest.strip_prefix(':')),
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%');
    // A name outside ASCII is shown and matched in its encoded form only, so that two names cannot look the same.
    if host.is_empty() || !host.chars().all(plain) {
        return Reached::Unknown;
    }
    let own = match scheme {
        Some("http" | "ws") => "80",
        Some("https" | "wss") | None => "443",
        Some("ssh" | "sftp") => "22",
        Some("ftp") => "21",
        Some("git") => "9418",
        Some(_) => "",
    };
    match port {
        Some(port)
            if !port.is_empty() && port != own && port.bytes().all(|b| b.is_ascii_digit()) =>
        {
            Reached::Host(format!("{host}:{port}"))
        }
        Some(_) | None => Reached::Host(host),
    }
}

/// Whether a path names nothing that is kept: the null device, the standard streams, the terminal.
pub(crate) fn is_nothing(text: &str) -> bool {
    matches!(
        text,
        "/dev/null"
            | "/dev/stdin"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/tty"
            | "/dev/zero"
            | "/dev/urandom"
            | "/dev/random"
            | "/dev/full"
    ) || text.strip_prefix("/dev/fd/").is_some_and(|rest| {
        !rest.is_empty()
            && rest
                .bytes()
                .all(|b| b.is_ascii_digit() || b"[]-*".contains(&b))
    })
}

/// Whether a path, seen from any of the working directories, names a standard stream or another open descriptor, so
/// that a script read from it is not a file.
pub(crate) fn is_stream(text: &str, cwd: &[AbsPath]) -> bool {
    places(text, cwd)
        .unwrap_or_default()
        .iter()
        .any(|place| is_descriptor(place.as_str()))
        || is_descriptor(text)
}

/// Whether a path without detours leads to an open descriptor.
fn is_descriptor(text: &str) -> bool {
    [
        "/dev/stdin",
        "/dev/fd/",
        "/proc/self/fd/",
        "/dev/tty",
        "/dev/tcp/",
    ]
    .iter()
    .any(|front| text.starts_with(front))
        || (text.starts_with("/proc/") && text.contains("/fd/"))
}

/// Whether a word of a program that nobody described looks like a path.
pub(crate) fn looks_like_path(text: &str) -> bool {
    !text.contains("://")
        && (text.contains('/') || text.starts_with('.') || text.starts_with('~'))
        && !text.contains(['\n', ' '])
}

#[cfg(test)]
mod tests {
    use super::{Reached, host};
    use crate::effects::command::{Field, Why};

    #[test]
    fn p6_hosts_are_read_from_urls() {
        for (text, expected) in [
            ("https://Example.com/x", "example.com"),
            ("http://u:p@example.com:8080/x?y", "example.com:8080"),
            ("example.com/x", "example.com"),
            ("git@github.com:a/b.git", "github.com"),
            ("https://example.com:443", "example.com"),
            ("http://[::1]:3000/", "::1:3000"),
            ("https://evil.org#@example.com/", "evil.org"),
            ("https://example.com.", "example.com"),
        ] {
            let field = Field::Known(text.to_owned());
            assert_eq!(host(&field), Reached::Host(expected.to_owned()), "{text}");
        }
        assert_eq!(
            host(&Field::Known("https://exämple.com/".to_owned())),
            Reached::Unknown
        );
        let cut = |prefix: &str| Field::Unknown {
            why: Why::Variable,
            prefix: prefix.to_owned(),
            single: true,
        };
        assert_eq!(
            host(&cut("https://example.com/a/")),
            Reached::Host("example.com".to_owned())
        );
        assert_eq!(host(&cut("https://example.com")), Reached::Unknown);
    }
}
