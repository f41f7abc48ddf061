//! What the hook promises its hosts, tested from outside with real processes.
