//! Wake-ups: one per workspace for its event streams, one per refund for the calls that wait for it. They carry no
//! facts; whoever wakes reads the store.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use desk::id::RefundId;
use tokio::sync::Notify;

use crate::store::Workspace;

/// All wake-ups of this process.
#[derive(Clone, Debug, Default)]
pub struct Live {
    workspaces: Arc<Mutex<HashMap<Workspace, Channel>>>,
    anything: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Channel {
    /// The newest event this process has told its waiters of.
    told: i64,
    streams: Option<Arc<Notify>>,
    refunds: HashMap<RefundId, Arc<Notify>>,
}

/// Interest in a wake-up; dropping it ends the interest.
#[derive(Debug)]
pub struct Interest {
    live: Live,
    workspace: Workspace,
    refund: Option<RefundId>,
    notify: Arc<Notify>,
}

impl Live {
    /// Interest in everything that happens in a workspace.
    pub fn workspace(&self, workspace: &Workspace) -> Interest {
        let mut workspaces = self.lock();
        let channel = workspaces.entry(workspace.clone()).or_default();
        let notify = channel.streams.get_or_insert_default().clone();
        Interest { live: self.clone(), workspace: workspace.clone(), refund: None, notify }
    }

    /// Interest in one refund.
    pub fn refund(&self, workspace: &Workspace, refund: &RefundId) -> Interest {
        let mut workspaces = self.lock();
        let channel = workspaces.entry(workspace.clone()).or_default();
        let notify = channel.refunds.entry(refund.clone()).or_default().clone();
        Interest { live: self.clone(), workspace: workspace.clone(), refund: Some(refund.clone()), notify }
    }

    /// Something happened here, up to event `seq`: wakes the workspace's streams and, if it was about a refund, the
    /// calls that wait for it.
    pub fn moved(&self, workspace: &Workspace, refund: Option<&RefundId>, seq: i64) {
        self.anything.notify_waiters();
        let mut workspaces = self.lock();
        let Some(channel) = workspaces.get_mut(workspace) else { return };
        channel.told = channel.told.max(seq);
        if let Some(notify) = refund.and_then(|refund| channel.refunds.get(refund)) {
            notify.notify_waiters();
        }
        if let Some(notify) = &channel.streams {
            notify.notify_waiters();
        }
    }

    /// The store says that a workspace stands at `seq`. If another process moved it there, everybody wakes.
    pub fn moved_elsewhere(&self, workspace: &Workspace, seq: i64) {
        self.anything.notify_waiters();
        let mut workspaces = self.lock();
        let Some(channel) = workspaces.get_mut(workspace) else { return };
        if seq <= channel.told {
            return;
        }
        channel.told = seq;
        for notify in channel.refunds.values().chain(&channel.streams) {
            notify.notify_waiters();
        }
    }

    /// The next thing that happens anywhere.
    pub fn anything(&self) -> impl Future<Output = ()> + use<> {
        self.anything.clone().notified_owned()
    }

    /// True if a call of this process waits for the refund.
    pub fn is_awaited(&self, workspace: &Workspace, refund: &RefundId) -> bool {
        self.lock().get(workspace).is_some_and(|channel| channel.refunds.contains_key(refund))
    }

    /// Wakes everybody: something changed that concerns all.
    pub fn all(&self) {
        for channel in self.lock().values() {
            for notify in channel.refunds.values().chain(&channel.streams) {
                notify.notify_waiters();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Workspace, Channel>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Interest {
    /// The next wake-up. Created before the store is read, so that nothing falls in between.
    pub fn next(&self) -> impl Future<Output = ()> + use<> {
        // `notified_owned` counts from its creation, not from its first poll.
        self.notify.clone().notified_owned()
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        let mut workspaces = self.live.lock();
        let Some(channel) = workspaces.get_mut(&self.workspace) else { return };
        // Two: the channel's own and this one's.
        let last = Arc::strong_count(&self.notify) <= 2;
        match &self.refund {
            Some(refund) if last => {
                channel.refunds.remove(refund);
            }
            None if last => channel.streams = None,
            _ => {}
        }
        if channel.refunds.is_empty() && channel.streams.is_none() {
            workspaces.remove(&self.workspace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> (Workspace, RefundId) {
        (Workspace::DEMO, RefundId::try_from("r1").unwrap())
    }

    #[tokio::test]
    async fn a_wake_up_between_asking_and_waiting_is_not_lost() {
        let (workspace, refund) = names();
        let live = Live::default();
        let interest = live.refund(&workspace, &refund);
        let next = interest.next();
        live.moved(&workspace, Some(&refund), 1);
        next.await;
    }

    #[tokio::test]
    async fn what_this_process_told_is_not_told_again() {
        let (workspace, refund) = names();
        let live = Live::default();
        let interest = live.refund(&workspace, &refund);
        live.moved(&workspace, None, 5);
        let mut next = std::pin::pin!(interest.next());
        live.moved_elsewhere(&workspace, 5);
        assert!(futures_util::FutureExt::now_or_never(next.as_mut()).is_none());
        live.moved_elsewhere(&workspace, 6);
        next.await;
    }

    #[test]
    fn nothing_is_kept_for_those_who_left() {
        let (workspace, refund) = names();
        let live = Live::default();
        let (one, two, three) =
            (live.refund(&workspace, &refund), live.refund(&workspace, &refund), live.workspace(&workspace));
        drop(one);
        assert_eq!(live.lock().len(), 1);
        drop((two, three));
        assert!(live.lock().is_empty());
    }
}
