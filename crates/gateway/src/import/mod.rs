//! Putting the gateway in front of a host's servers.
