//! Reading columns. A stored value that can't be read is our fault, not the caller's: it answers as unavailable.

use desk::Millis;
use desk::money::{Currency, Minor, currency};
use policy::Strength;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::StoreError;

/// One row of an answer.
pub(super) struct Row<'a>(pub(super) &'a AnyRow);

impl Row<'_> {
    pub(super) fn int(&self, column: &'static str) -> Result<i64, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub(super) fn int_or_none(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    /// An integer of a smaller type.
    pub(super) fn number<T: TryFrom<i64>>(&self, column: &'static str) -> Result<T, StoreError> {
        T::try_from(self.int(column)?).map_err(|_| unreadable(column))
    }

    pub(super) fn number_or_none<T: TryFrom<i64>>(
        &self,
        column: &'static str,
    ) -> Result<Option<T>, StoreError> {
        self.int_or_none(column)?
            .map(|number| T::try_from(number).map_err(|_| unreadable(column)))
            .transpose()
    }

    pub(super) fn flag(&self, column: &'static str) -> Result<bool, StoreError> {
        Ok(self.int(column)? != 0)
    }

    pub(super) fn minor(&self, column: &'static str) -> Result<Minor, StoreError> {
        Ok(Minor(self.number(column)?))
    }

    pub(super) fn time(&self, column: &'static str) -> Result<Millis, StoreError> {
        Ok(Millis(self.int(column)?))
    }

    pub(super) fn time_or_none(&self, column: &'static str) -> Result<Option<Millis>, StoreError> {
        Ok(self.int_or_none(column)?.map(Millis))
    }

    pub(super) fn text(&self, column: &'static str) -> Result<String, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub(super) fn text_or_none(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    /// An identifier.
    pub(super) fn id<T: TryFrom<String>>(&self, column: &'static str) -> Result<T, StoreError> {
        T::try_from(self.text(column)?).map_err(|_| unreadable(column))
    }

    pub(super) fn id_or_none<T: TryFrom<String>>(
        &self,
        column: &'static str,
    ) -> Result<Option<T>, StoreError> {
        self.text_or_none(column)?.map(|text| T::try_from(text).map_err(|_| unreadable(column))).transpose()
    }

    /// A word of a closed set.
    pub(super) fn word<T>(
        &self,
        column: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        parse(&self.text(column)?).ok_or_else(|| unreadable(column))
    }

    pub(super) fn word_or_none<T>(
        &self,
        column: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        self.text_or_none(column)?.map(|word| parse(&word).ok_or_else(|| unreadable(column))).transpose()
    }

    pub(super) fn currency(&self, column: &'static str) -> Result<Currency, StoreError> {
        self.word(column, currency)
    }

    /// Text that people or agents wrote, as it was written.
    pub(super) fn written(&self, column: &'static str) -> Result<String, StoreError> {
        let bytes: Vec<u8> = self.0.try_get(column)?;
        String::from_utf8(bytes).map_err(|_| unreadable(column))
    }

    pub(super) fn written_or_none(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        let bytes: Option<Vec<u8>> = self.0.try_get(column)?;
        bytes.map(|bytes| String::from_utf8(bytes).map_err(|_| unreadable(column))).transpose()
    }
}

fn unreadable(column: &'static str) -> StoreError {
    tracing::error!(column, "a stored value can't be read");
    StoreError::Unavailable
}

/// A number as it is stored. What is above the largest is refused by the checks of the tables.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The bytes of a text that people or agents wrote.
pub(super) fn bytes(text: Option<&str>) -> Option<Vec<u8>> {
    text.map(|text| text.as_bytes().to_vec())
}

/// The word a strength is stored as.
pub(super) const fn strength_word(strength: Strength) -> &'static str {
    match strength {
        Strength::InPage => "in_page",
        Strength::Console => "console",
        Strength::Passkey => "passkey",
    }
}

/// The strength stored as this word.
pub(super) fn strength(word: &str) -> Option<Strength> {
    [Strength::InPage, Strength::Console, Strength::Passkey]
        .into_iter()
        .find(|strength| strength_word(*strength) == word)
}
