//! Sign-ins of the console: one-use codes, and sessions. Only hashes are kept.

use desk::Millis;

use super::row::Row;
use super::{Store, StoreError};

impl Store {
    /// Stores the hash of a one-use code.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn add_console_code(&self, hash: &str, expires_at: Millis) -> Result<(), StoreError> {
        let mut transaction = self.pools().write().await?;
        sqlx::query("INSERT INTO sign_in (hash, kind, expires_at) VALUES ($1, 'code', $2)")
            .bind(hash)
            .bind(expires_at.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Uses up a code and begins a session. False if there is no such code, or it was used or has expired.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn begin_console_session(
        &self,
        code: &str,
        session: &str,
        approver: &str,
        expires_at: Millis,
        now: Millis,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.pools().write().await?;
        let used = sqlx::query(
            "DELETE FROM sign_in WHERE hash = $1 AND kind = 'code' AND expires_at > $2 RETURNING hash",
        )
        .bind(code)
        .bind(now.0)
        .fetch_optional(&mut *transaction)
        .await?;
        if used.is_none() {
            return Ok(false);
        }
        sqlx::query("INSERT INTO sign_in (hash, kind, approver, expires_at) VALUES ($1, 'session', $2, $3)")
            .bind(session)
            .bind(approver)
            .bind(expires_at.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The approver of a session; none if it ended.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn console_session(&self, hash: &str, now: Millis) -> Result<Option<String>, StoreError> {
        let row = sqlx::query(
            "SELECT approver FROM sign_in WHERE hash = $1 AND kind = 'session' AND expires_at > $2",
        )
        .bind(hash)
        .bind(now.0)
        .fetch_optional(self.pools().read())
        .await?;
        row.map(|row| Row(&row).text("approver")).transpose()
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn end_console_session(&self, hash: &str) -> Result<(), StoreError> {
        let mut transaction = self.pools().write().await?;
        sqlx::query("DELETE FROM sign_in WHERE hash = $1 AND kind = 'session'")
            .bind(hash)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}
