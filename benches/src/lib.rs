//! Speeds and shares, measured on made-up worlds.
