//! The server, through its public doors.

mod http;
