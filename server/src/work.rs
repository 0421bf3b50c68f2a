//! What a desk does on its own: telling what other processes changed, expiry, pages that are gone, lost payments.

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use crate::http::App;
use crate::store::{Actor, AgentKind, StoreError, Workspace};

/// How often the store is read again: commands and other processes write beside this one.
const TURN: Duration = Duration::from_secs(1);

/// How far back a look at the store reaches. More than a turn, so that none is missed when a turn is late.
const LOOK_BACK: Duration = Duration::from_secs(10);

/// Turns after which what nobody needs any more is dropped: ten minutes.
const TIDY_EVERY: u64 = 600;

/// Seconds after which a payment without an answer is asked about.
const LOST_AFTER: u64 = 15;

/// Starts it; aborting the task ends it.
pub(crate) fn start(app: &App) -> JoinHandle<()> {
    let live = app.live().clone();
    app.store().listen(move |workspace, events| {
        for event in events {
            tracing::info!(
                workspace = workspace.as_str(),
                seq = event.seq,
                who = event.who,
                ticket = event.ticket.as_ref().map(|id| id.as_str()),
                refund = event.refund.as_ref().map(|id| id.as_str()),
                state = event.state,
                code = event.code,
                "{}",
                event.what
            );
            live.moved(workspace, event.refund.as_ref(), event.seq);
        }
    });
    let app = app.clone();
    tokio::spawn(async move {
        let mut known = HashMap::new();
        let mut grace = 0;
        let mut turns = tokio::time::interval(TURN);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut quiet = true;
        for count in 0_u64.. {
            turns.tick().await;
            if count % TIDY_EVERY == 0 {
                app.presence().forget(app.now());
                app.limits().requests.shrink();
                app.limits().cookies.shrink();
            }
            match turn(&app, &mut known, grace).await {
                Ok(()) => {
                    grace = LOST_AFTER;
                    quiet = true;
                }
                Err(error) if quiet => {
                    tracing::warn!(%error, "the store does not answer; trying again every second");
                    quiet = false;
                }
                Err(_) => {}
            }
        }
    })
}

async fn turn(app: &App, known: &mut HashMap<Workspace, i64>, grace: u64) -> Result<(), StoreError> {
    tell(app, known).await?;
    let now = app.now();
    app.store().recover(app.provider(), grace, &*app.clock()).await?;
    app.store().sweep(now).await?;
    for refund in app.store().held_by_pages().await? {
        let page = matches!(refund.by.kind, AgentKind::Tab | AgentKind::Played);
        if page && app.presence().is_gone(&refund.workspace, refund.staged_at, now) {
            app.store().gone(&refund.id, &Actor::Desk, now).await?;
        }
    }
    Ok(())
}

/// Wakes those who wait for what another process changed.
async fn tell(app: &App, known: &mut HashMap<Workspace, i64>) -> Result<(), StoreError> {
    let moved = app.store().moved(LOOK_BACK).await?;
    known.retain(|workspace, _| moved.iter().any(|(other, _)| other == workspace));
    for (workspace, seq) in moved {
        if known.insert(workspace.clone(), seq) == Some(seq) {
            continue;
        }
        if workspace.is_pristine() {
            app.live().all();
        } else {
            app.live().moved_elsewhere(&workspace, seq);
        }
    }
    Ok(())
}
