//! Connections. SQLite: one that writes, a few that read. PostgreSQL: one pool for both.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{
    Any, AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Executor as _, SqlSafeStr as _,
    Transaction,
};

use super::{Limits, StoreError};

/// Where the records are.
#[derive(Clone, Debug)]
pub enum Database {
    /// A folder, which gets a `quarantine.db`, or a file that ends in `.db`.
    Sqlite(PathBuf),
    /// `postgres://…`.
    Postgres(String),
}

#[derive(Debug)]
pub(crate) struct Pools {
    write: AnyPool,
    read: AnyPool,
    begin_write: &'static str,
    begin_read: &'static str,
}

/// How long a writer waits for another process before it gives up.
const PATIENCE: Duration = Duration::from_secs(10);

const WRITES: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                      PRAGMA busy_timeout = 5000";
const READS: &str = "PRAGMA busy_timeout = 5000; PRAGMA query_only = ON";
const LASTS: &str = "SET lock_timeout = '10s'; SET statement_timeout = '30s'; \
                     SET idle_in_transaction_session_timeout = '60s'";

impl Pools {
    /// Connects and brings the tables up to date.
    pub(super) async fn open(database: &Database, limits: Limits) -> Result<Pools, StoreError> {
        sqlx::any::install_default_drivers();
        match database {
            Database::Sqlite(path) => Pools::sqlite(path, limits).await,
            Database::Postgres(url) => Pools::postgres(url).await,
        }
    }

    async fn sqlite(path: &Path, limits: Limits) -> Result<Pools, StoreError> {
        let file = file(path)?;
        let options = options(&format!("sqlite://{}?mode=rwc", escaped(&file)))?;
        // A pool would try again until its patience ends; a file that is no database stays none.
        let mut first = AnyConnection::connect_with(&options).await?;
        first.execute(WRITES).await?;
        first.close().await?;
        let pages = limits.database_bytes.map(|bytes| bytes / 4_096);
        let write = AnyPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(PATIENCE)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            // On a full disk SQLite ends a transaction by itself, and the driver goes on counting it: such a
            // connection would refuse every later change.
            .after_release(|connection, _| {
                Box::pin(async move {
                    connection.ping().await?;
                    Ok(!connection.is_in_transaction())
                })
            })
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    connection.execute(WRITES).await?;
                    if let Some(pages) = pages {
                        let limit = format!("PRAGMA max_page_count = {pages}");
                        connection.execute(sqlx::AssertSqlSafe(limit)).await?;
                    }
                    Ok(())
                })
            })
            .connect_with(options.clone())
            .await?;
        migrate(&write, include_str!("../../migrations/sqlite/0001_desk.sql")).await?;
        let read = AnyPoolOptions::new()
            .max_connections(4)
            .acquire_timeout(PATIENCE)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    connection.execute(READS).await?;
                    Ok(())
                })
            })
            .connect_with(options)
            .await?;
        Ok(Pools { write, read, begin_write: "BEGIN IMMEDIATE", begin_read: "BEGIN" })
    }

    async fn postgres(url: &str) -> Result<Pools, StoreError> {
        let pool = AnyPoolOptions::new()
            .max_connections(16)
            .acquire_timeout(PATIENCE)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    connection.execute(LASTS).await?;
                    Ok(())
                })
            })
            .connect_with(options(url)?)
            .await?;
        migrate(&pool, include_str!("../../migrations/postgres/0001_desk.sql")).await?;
        Ok(Pools {
            write: pool.clone(),
            read: pool,
            begin_write: "BEGIN ISOLATION LEVEL READ COMMITTED",
            begin_read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        })
    }

    /// A transaction that writes. On SQLite it holds the only writer.
    pub(crate) async fn write(&self) -> Result<Transaction<'static, Any>, StoreError> {
        Ok(self.write.begin_with(self.begin_write).await?)
    }

    /// A transaction in which every read sees the same moment.
    pub(super) async fn snapshot(&self) -> Result<Transaction<'static, Any>, StoreError> {
        Ok(self.read.begin_with(self.begin_read).await?)
    }

    /// For reads of one statement.
    pub(crate) fn read(&self) -> &AnyPool {
        &self.read
    }

    pub(super) async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

fn options(url: &str) -> Result<AnyConnectOptions, StoreError> {
    Ok(url.parse::<AnyConnectOptions>()?.disable_statement_logging())
}

/// Each migration is a file, and none is ever changed once it has been released. A database that can't be written is
/// good enough to be read if it is up to date.
async fn migrate(pool: &AnyPool, first: &'static str) -> Result<(), StoreError> {
    let migrations: Vec<_> = [("desk", first)]
        .into_iter()
        .zip(1..)
        .map(|((name, sql), version)| {
            Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
        })
        .collect();
    let newest = migrations.last().map_or(0, |migration| migration.version);
    let Err(error) = Migrator::with_migrations(migrations).run(pool).await else {
        return Ok(());
    };
    let applied: Result<(Option<i64>,), _> =
        sqlx::query_as("SELECT MAX(version) FROM _sqlx_migrations WHERE success").fetch_one(pool).await;
    match applied {
        Ok((applied,)) if applied == Some(newest) && matches!(error, MigrateError::Execute(_)) => Ok(()),
        _ => {
            tracing::error!(%error, "the store can't be brought up to date");
            Err(StoreError::Unavailable)
        }
    }
}

fn file(path: &Path) -> Result<PathBuf, StoreError> {
    let (folder, file) = if path.extension().is_some_and(|end| end == "db") {
        (path.parent().unwrap_or(Path::new("")), path.to_owned())
    } else {
        (path, path.join("quarantine.db"))
    };
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| {
            tracing::error!(kind = %error.kind(), "the data folder can't be made");
            StoreError::Unavailable
        })?;
    }
    std::path::absolute(file).map_err(|_| StoreError::Unavailable)
}

/// A path as the part of an address: everything but letters, digits and a few signs is escaped.
fn escaped(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
