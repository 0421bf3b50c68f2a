//! Why something is withheld: a closed list, so that a reason can't carry a message.

use core::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $says:literal;)*) => {
        /// Why a result is withheld. A program switches on the word; the sentence is for a person. Neither ever
        /// holds a part of what was read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The stable word.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// One sentence: what happened, and what to do next.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$name => $says,)* }
            }
        }
    };
}

codes! {
    /// The settings for this tool can't be used.
    Settings = "SETTINGS_INVALID", "The settings for this tool can't be used; quarantine hook doctor says why.";
    /// The key's environment variable is not set.
    KeyMissing = "KEY_MISSING", "The environment variable with the model's key is not set.";
    /// The event could not be read.
    Event = "EVENT_UNREADABLE", "The hook was given something that it can't read.";
    /// The result is larger than what is read.
    TooLarge = "RESULT_TOO_LARGE", "The result is larger than what is read; ask for less at once.";
    /// Only pictures or other things that are not text.
    NoText = "NO_TEXT", "The result holds nothing that can be read as text.";
    /// The work did not end in time.
    Deadline = "DEADLINE", "Reading took longer than it may.";
    /// The work broke off.
    Internal = "INTERNAL", "Reading broke off.";
    /// No connection to the model.
    ModelUnreachable = "MODEL_UNREACHABLE", "The reading model can't be reached.";
    /// The model answered with an error.
    ModelRefused = "MODEL_REFUSED", "The reading model answered with an error.";
    /// The model's key was not accepted.
    ModelAuth = "MODEL_AUTH", "The reading model did not accept the key.";
    /// The connection broke, or was no HTTP.
    ModelBroken = "MODEL_BROKEN", "The reading model's answer broke off or was no answer.";
    /// The model's answer is larger than what is read.
    ReplyTooLarge = "REPLY_TOO_LARGE", "The reading model's answer is larger than what is read.";
    /// The model did not finish.
    ReplyCut = "REPLY_CUT", "The reading model did not finish its answer.";
    /// Not one JSON object.
    ReplyShape = "REPLY_SHAPE", "The reading model's answer is not one JSON object.";
    /// A key twice.
    ReplyTwice = "REPLY_TWICE", "The reading model's answer names a field twice.";
    /// A field is not there.
    FieldMissing = "FIELD_MISSING", "The reading model's answer lacks a field.";
    /// A field is of another type.
    FieldType = "FIELD_TYPE", "A field of the reading model's answer is of another type.";
    /// A field's value is not allowed.
    FieldValue = "FIELD_VALUE", "A field of the reading model's answer has a value that is not allowed.";
    /// Sealed values can't be kept.
    Store = "STORE_UNUSABLE", "Sealed values can't be kept or read.";
    /// Too many sealed values.
    StoreFull = "STORE_FULL", "This session holds as many sealed values as it may.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.says())
    }
}

/// A result that does not cross, and why. The field is one of the schema's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// Why.
    pub code: Code,
    /// In which field, where it is about one.
    pub field: Option<String>,
}

impl From<Code> for Withheld {
    fn from(code: Code) -> Self {
        Self { code, field: None }
    }
}
