//! What an allow may demand of the way in which a command runs; how it is enforced is the kernel boundary's.

/// One thing that a command is kept from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confinement {
    /// Writing outside the workspace and temporary places.
    Workspace,
    /// Reaching the network.
    NoNetwork,
}

impl Confinement {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Workspace, Self::NoNetwork];

    /// Its name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::NoNetwork => "no-network",
        }
    }

    /// The confinement of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|confinement| confinement.name() == text)
    }
}
