//! How a refund that is held ends without being paid, and how a call's wait for it ends.

use desk::Millis;
use desk::id::RefundId;
use desk::refund::State;

use super::change::Change;
use super::{Actor, Agent, Refund, Store, StoreError, refund};

impl Store {
    /// A caller takes its call back: the last one withdraws what is held, earlier ones only leave. A refund that is
    /// past being held stays as it is. The caller that withdraws counts as having received the outcome.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], also if another credential staged it; [`StoreError::Unavailable`].
    pub async fn withdraw(&self, id: &RefundId, by: &Agent, now: Millis) -> Result<Refund, StoreError> {
        let (mut change, refund) = self.change_of(id, now).await?;
        if refund.by.credential != by.credential {
            return Err(StoreError::NotFound);
        }
        if refund.state != State::Held {
            return Ok(refund);
        }
        let actor = Actor::Agent(by.clone());
        let left = if refund.callers > 1 {
            let left = change.leave(id).await?;
            change.refund_event(&actor, "call left", &left, None).await?;
            left
        } else {
            change.receive(id).await?;
            change.end_held(&actor, &refund, State::Withdrawn, None).await?
        };
        change.commit().await?;
        Ok(left)
    }

    /// Whoever waited is gone: what is held ends as `withdrawn`, however many calls waited, and none has received that.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn gone(&self, id: &RefundId, actor: &Actor, now: Millis) -> Result<Refund, StoreError> {
        let (mut change, refund) = self.change_of(id, now).await?;
        if refund.state != State::Held {
            return Ok(refund);
        }
        let ended = change.end_held(actor, &refund, State::Withdrawn, Some("GONE")).await?;
        change.commit().await?;
        Ok(ended)
    }

    /// A call has received the outcome. Without effect before the refund ended, or for another credential.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn receive(&self, id: &RefundId, by: &Agent, now: Millis) -> Result<(), StoreError> {
        let known = self.refund(id).await?;
        if !receivable(&known, by) {
            return Ok(());
        }
        let (mut change, refund) = self.change_of(id, now).await?;
        if !receivable(&refund, by) {
            return Ok(());
        }
        let refund = change.receive(id).await?;
        change.refund_event(&Actor::Agent(by.clone()), "outcome received", &refund, None).await?;
        change.commit().await
    }

    /// Begins a change of the refund's workspace, and reads the refund within it.
    pub(super) async fn change_of(&self, id: &RefundId, now: Millis) -> Result<(Change, Refund), StoreError> {
        let workspace = self.refund(id).await?.workspace;
        let mut change = self.change(&workspace, now).await?;
        let refund = refund::by_id(change.connection(), id).await?;
        Ok((change, refund))
    }
}

fn receivable(refund: &Refund, by: &Agent) -> bool {
    refund.state.ended() && !refund.received && refund.by.credential == by.credential
}
