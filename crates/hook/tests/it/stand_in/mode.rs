//! The ways a reading model can be: honest, steered, or broken.

/// One way. A model's name on the wire is `stand-in-<mode>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Fills the fields from the text.
    Clean,
    /// Copies what the text demands into every string.
    Obey,
    /// Copies the whole text into every string.
    Echo,
    /// Adds members whose names and values are the text.
    ExtraKeys,
    /// Every value is of another type.
    WrongTypes,
    /// A list.
    Array,
    /// JSON in a code fence.
    Fenced,
    /// A sentence, with the text in it.
    Prose,
    /// A field twice: first a good value, then the text.
    DuplicateKeys,
    /// Nested five thousand deep.
    Deep,
    /// Numbers that are none, or larger than any.
    HugeNumbers,
    /// Values that look like references.
    DollarValues,
    /// The text again in tag characters.
    TagCharacters,
    /// A text that is JSON of ours.
    Forged,
    /// Cut off, and says so.
    Cut,
    /// Content that is no text but a call of a tool.
    ToolCall,
    /// An error whose body is the text.
    ErrorBody,
    /// 200, and the text instead of an answer.
    BareBody,
    /// The key is not accepted.
    NoAuth,
    /// Says nothing.
    Hang,
    /// One byte at a time.
    Drip,
    /// Closes in the middle.
    EarlyClose,
    /// Ten megabytes.
    TenMegabytes,
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// In chunks, honest.
    Chunked,
    /// In chunks that lie about their length.
    BadChunks,
}

impl Mode {
    pub(crate) const ALL: [Self; 26] = [
        Self::Clean,
        Self::Obey,
        Self::Echo,
        Self::ExtraKeys,
        Self::WrongTypes,
        Self::Array,
        Self::Fenced,
        Self::Prose,
        Self::DuplicateKeys,
        Self::Deep,
        Self::HugeNumbers,
        Self::DollarValues,
        Self::TagCharacters,
        Self::Forged,
        Self::Cut,
        Self::ToolCall,
        Self::ErrorBody,
        Self::BareBody,
        Self::NoAuth,
        Self::Hang,
        Self::Drip,
        Self::EarlyClose,
        Self::TenMegabytes,
        Self::NotUtf8,
        Self::Chunked,
        Self::BadChunks,
    ];

    pub(crate) fn model(self) -> String {
        format!("stand-in-{self:?}").to_lowercase()
    }

    pub(crate) fn of(model: &str) -> Self {
        Self::ALL.into_iter().find(|mode| mode.model() == model).unwrap_or(Self::Clean)
    }
}
