//! Settings of the whole desk: secrets, and the active rules.

use desk::Millis;
use policy::Rules;
use sqlx::Row as _;

use super::row::Row;
use super::sandbox::tell_all;
use super::{Actor, Store, StoreError, Workspace};

/// The rules that decide now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveRules {
    /// Counts activations; 0 for the rules of the demonstration.
    pub version: u64,
    /// The rules.
    pub rules: Rules,
}

impl ActiveRules {
    /// What decides until rules are activated.
    pub fn demo() -> ActiveRules {
        ActiveRules { version: 0, rules: Rules::demo() }
    }

    /// # Errors
    /// [`StoreError::OtherRules`] unless these are the ones of this version.
    pub(super) fn are(&self, version: u64) -> Result<(), StoreError> {
        if self.version == version { Ok(()) } else { Err(StoreError::OtherRules) }
    }
}

impl Store {
    /// The version and text of the active rules; none until some are activated.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn active_rules(&self) -> Result<Option<(u64, String)>, StoreError> {
        let row = sqlx::query("SELECT r.version, r.text FROM desk d JOIN rules r ON r.version = d.rules")
            .fetch_optional(self.pools().read())
            .await?;
        row.map(|row| Ok((Row(&row).number("version")?, Row(&row).text("text")?))).transpose()
    }

    /// Makes rules the active ones, and tells every workspace. The text has been read as rules before. Answers their
    /// version.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn activate_rules(&self, text: &str, now: Millis) -> Result<u64, StoreError> {
        let mut transaction = self.pools().write().await?;
        let row = sqlx::query("UPDATE desk SET rules = rules + 1 RETURNING rules")
            .fetch_one(&mut *transaction)
            .await?;
        let version = Row(&row).int("rules")?;
        sqlx::query("INSERT INTO rules (version, text, at) VALUES ($1, $2, $3)")
            .bind(version)
            .bind(text)
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        let event = tell_all(&mut transaction, &Actor::Desk, "rules activated", now).await?;
        transaction.commit().await?;
        self.heard(&Workspace::PRISTINE, &[event]);
        u64::try_from(version).map_err(|_| StoreError::Unavailable)
    }

    /// A secret of this desk, by name: the stored one, or `fresh` stored now. Every process gets the same.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>, StoreError> {
        if let Some(known) = self.setting(name).await? {
            return Ok(known);
        }
        let mut transaction = self.pools().write().await?;
        sqlx::query("INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
            .bind(name)
            .bind(fresh)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.setting(name).await?.ok_or(StoreError::Unavailable)
    }

    /// A setting; none if it was never written.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn setting(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let row = sqlx::query("SELECT value FROM setting WHERE name = $1")
            .bind(name)
            .fetch_optional(self.pools().read())
            .await?;
        Ok(row.map(|row| row.try_get("value")).transpose()?)
    }

    /// Writes a setting.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn set(&self, name: &str, value: &[u8]) -> Result<(), StoreError> {
        let mut transaction = self.pools().write().await?;
        sqlx::query(
            "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
        )
        .bind(name)
        .bind(value)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
