//! Which pages are there: a page is there while it has an event stream.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use desk::Millis;

use crate::store::Workspace;

/// Seconds without a stream after which a page is gone.
pub const GONE_AFTER: u64 = 60;

/// The pages of this process.
#[derive(Clone, Debug)]
pub struct Presence {
    started: Millis,
    pages: Arc<Mutex<HashMap<Workspace, Page>>>,
}

#[derive(Clone, Copy, Debug)]
struct Page {
    streams: usize,
    lost_at: Millis,
}

/// A stream that is open; dropping it tells that it was lost.
#[derive(Debug)]
pub struct Stream {
    presence: Presence,
    workspace: Workspace,
    clock: Arc<dyn crate::clock::Clock>,
}

impl Presence {
    /// Nobody is there when the server starts.
    pub fn new(started: Millis) -> Presence {
        Presence { started, pages: Arc::default() }
    }

    /// A page of this workspace opened a stream.
    pub fn arrive(&self, workspace: &Workspace, clock: Arc<dyn crate::clock::Clock>) -> Stream {
        let mut pages = self.lock();
        let page = pages.entry(workspace.clone()).or_insert(Page { streams: 0, lost_at: self.started });
        page.streams += 1;
        Stream { presence: self.clone(), workspace: workspace.clone(), clock }
    }

    /// True while at least one stream of the workspace is open.
    pub fn is_here(&self, workspace: &Workspace) -> bool {
        self.lock().get(workspace).is_some_and(|page| page.streams > 0)
    }

    /// True once no stream has been there for [`GONE_AFTER`] seconds, counted from the later of the loss, the
    /// server's start, and `since`.
    pub fn is_gone(&self, workspace: &Workspace, since: Millis, now: Millis) -> bool {
        let lost_at = match self.lock().get(workspace) {
            Some(page) if page.streams > 0 => return false,
            Some(page) => page.lost_at,
            None => self.started,
        };
        now.seconds_since(lost_at.max(since)) >= GONE_AFTER
    }

    /// Forgets pages that have been gone for an hour.
    pub fn forget(&self, now: Millis) {
        self.lock().retain(|_, page| page.streams > 0 || now.seconds_since(page.lost_at) < 3_600);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Workspace, Page>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let now = self.clock.now();
        if let Some(page) = self.presence.lock().get_mut(&self.workspace) {
            page.streams = page.streams.saturating_sub(1);
            page.lost_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct At(i64);

    impl crate::clock::Clock for At {
        fn now(&self) -> Millis {
            Millis(self.0 * 1_000)
        }
    }

    #[test]
    fn a_page_is_gone_a_minute_after_its_last_stream() {
        let workspace = Workspace::DEMO;
        let second = |seconds: i64| Millis(seconds * 1_000);
        let presence = Presence::new(second(0));
        assert!(!presence.is_gone(&workspace, second(0), second(59)));
        assert!(presence.is_gone(&workspace, second(0), second(60)));
        assert!(!presence.is_gone(&workspace, second(30), second(60)));
        let one = presence.arrive(&workspace, Arc::new(At(100)));
        let two = presence.arrive(&workspace, Arc::new(At(200)));
        drop(one);
        assert!(presence.is_here(&workspace) && !presence.is_gone(&workspace, second(0), second(1_000)));
        drop(two);
        assert!(!presence.is_here(&workspace));
        assert!(!presence.is_gone(&workspace, second(0), second(259)));
        assert!(presence.is_gone(&workspace, second(0), second(260)));
    }
}
