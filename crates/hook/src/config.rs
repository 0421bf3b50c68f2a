//! The settings of one tool's reading: the TOML that describes a model, and the fields beside it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reader::model::{Address, Format, Model};
use reader::schema::Refused;
use reader::{Code, Schema};
use serde_json::Value as Json;
use toml::{Table, Value};

use crate::place::read_some;

const LIMIT: u64 = 4 << 20;
/// Results longer than this are withheld unless the settings say otherwise. In bytes.
const INPUT: usize = 1 << 20;

/// How one tool's results are read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The fields.
    pub schema: Schema,
    /// What fills them in.
    pub by: By,
    /// Longer results are withheld. In bytes.
    pub most: usize,
}

/// What fills the fields in.
#[derive(Debug, Clone)]
pub enum By {
    /// Nothing: the whole result is sealed as one reference, and no model is asked.
    Sealing,
    /// The places in a structured result that the fields name.
    Pointers,
    /// A reading model.
    Model(Box<Model>),
}

/// Why there is no reading: for the harness a code, for `doctor` a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoReading {
    /// The code.
    pub code: Code,
    /// The sentence; it holds nothing but the settings' own words.
    pub says: String,
}

impl From<Refused> for NoReading {
    fn from(refused: Refused) -> Self {
        Self { code: Code::Settings, says: refused.0 }
    }
}

/// Settings that mean a guard or a behaviour that we don't have. Each is refused, since whoever wrote it counts on it.
const NOT_HELD_TO: [(&str, &str); 7] = [
    ("api_key", "put the key into an environment variable and name that in api_key_name"),
    ("user_prompt", "the result is the user's message; put what you want to say into system_prompt"),
    ("user_prompt_file", "the result is the user's message; put what you want to say into system_prompt"),
    ("pdf_file", "files are not read"),
    ("validate_tokens", "set max_input_bytes instead"),
    ("context_limit", "set max_input_bytes instead"),
    ("guardrails", "there are no guardrails; what crosses is held to the fields instead"),
];

const KNOWN: [&str; 17] = [
    "api_url",
    "model",
    "provider",
    "api_key_name",
    "system_prompt",
    "system_prompt_file",
    "temperature",
    "max_tokens",
    "seed",
    "timeout_secs",
    "response_format",
    "response_format_schema",
    "response_format_schema_strict",
    "fields",
    "extractor",
    "max_input_bytes",
    "description",
];

impl Reading {
    /// Reads a tool's settings. Paths in them are relative to the settings' own folder, or to the registry's.
    ///
    /// # Errors
    /// Something can't be read, is not understood, or is not supported; or the key's variable is not set.
    pub fn read(folder: &Path, config: &Path) -> Result<Self, NoReading> {
        let file = folder.join(config);
        let Some(text) = read_some(&file, LIMIT) else {
            return Err(Refused(format!("{} can't be read", config.display())).into());
        };
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            Refused(format!("{}: {}", config.display(), error.message()))
        })?;
        let beside = file.parent().unwrap_or(folder).to_path_buf();
        Config { name: config, table: &table, folders: [beside, folder.to_path_buf()] }.reading()
    }
}

struct Config<'a> {
    name: &'a Path,
    table: &'a Table,
    folders: [PathBuf; 2],
}

impl Config<'_> {
    fn wrong<T>(&self, says: &str) -> Result<T, Refused> {
        Err(Refused(format!("{}: {says}", self.name.display())))
    }

    fn reading(&self) -> Result<Reading, NoReading> {
        for key in self.table.keys() {
            if let Some((_, instead)) = NOT_HELD_TO.iter().find(|(name, _)| name == key) {
                self.wrong(&format!("{key} is not supported: {instead}"))?;
            }
            if !KNOWN.contains(&key.as_str()) {
                self.wrong(&format!("{key} is not supported"))?;
            }
        }
        let most = match self.whole("max_input_bytes", 1, 16 << 20)? {
            Some(most) => usize::try_from(most).unwrap_or(INPUT),
            None => INPUT,
        };
        let by_model = self.model_settings()?;
        let schema = self.schema()?;
        let (schema, by) = match (schema, self.text("extractor")?) {
            (None, None | Some("model")) => (Schema::body_only(), By::Sealing),
            (None, Some(_)) => self.wrong("extractor needs fields")?,
            (Some(schema), Some("pointers")) => (schema, By::Pointers),
            (Some(schema), None | Some("model")) => match by_model {
                Some(model) => (schema, By::Model(Box::new(self.keyed(model)?))),
                None => self.wrong("fields need api_url and model, or extractor = \"pointers\"")?,
            },
            (Some(_), Some(_)) => self.wrong("extractor is model or pointers")?,
        };
        Ok(Reading { schema, by, most })
    }

    fn keyed(&self, mut model: Model) -> Result<Model, NoReading> {
        if let Some(name) = self.text("api_key_name")? {
            let key =
                std::env::var(name).ok().filter(|key| !key.is_empty() && !key.chars().any(char::is_control));
            let says = || format!("{}: the environment variable {name} is not set", self.name.display());
            model.key = Some(key.ok_or_else(|| NoReading { code: Code::KeyMissing, says: says() })?);
        }
        Ok(model)
    }

    fn model_settings(&self) -> Result<Option<Model>, Refused> {
        let wait = self.whole("timeout_secs", 1, 600)?.unwrap_or(20);
        let max_tokens = self.whole("max_tokens", 1, 1 << 20)?.and_then(|most| u32::try_from(most).ok());
        let seed = match self.table.get("seed") {
            None => None,
            Some(Value::Integer(seed)) => Some(*seed),
            Some(_) => return self.wrong("seed is a whole number"),
        };
        let temperature = match self.table.get("temperature") {
            None => 0.0,
            Some(Value::Float(value)) if (0.0..=2.0).contains(value) => *value,
            Some(Value::Integer(value @ 0..=2)) => f64::from(i32::try_from(*value).unwrap_or_default()),
            Some(_) => return self.wrong("temperature is 0 to 2"),
        };
        let strict = match self.table.get("response_format_schema_strict") {
            None => true,
            Some(Value::Boolean(strict)) => *strict,
            Some(_) => return self.wrong("response_format_schema_strict is true or false"),
        };
        let format = match self.text("response_format")?.map(|format| format.replace('_', "-")).as_deref() {
            None | Some("json-object") => Format::Object,
            Some("json-schema") => Format::Schema { strict },
            Some(_) => {
                return self.wrong("response_format is json-object or json-schema: free text never crosses");
            }
        };
        if self.text("provider")?.is_some_and(|provider| provider != "openai") {
            return self.wrong("provider is openai: the chat-completions protocol is the one that is spoken");
        }
        let instructions = match (self.text("system_prompt")?, self.text("system_prompt_file")?) {
            (Some(_), Some(_)) => return self.wrong("system_prompt or system_prompt_file, not both"),
            (Some(text), None) => text.to_owned(),
            (None, Some(file)) => match self.file(file) {
                Some(text) => text,
                None => return self.wrong("system_prompt_file can't be read"),
            },
            (None, None) => String::new(),
        };
        self.text("api_key_name")?;
        let (url, name) = match (self.text("api_url")?, self.text("model")?) {
            (Some(url), Some(name)) => (url, name),
            (None, None) => return Ok(None),
            _ => return self.wrong("api_url and model go together"),
        };
        let address = match Address::read(url) {
            Ok(address) => address,
            Err(refused) => return self.wrong(&refused.0),
        };
        let wait = Duration::from_secs(u64::try_from(wait).unwrap_or(20));
        let name = name.to_owned();
        Ok(Some(Model {
            address,
            name,
            key: None,
            wait,
            instructions,
            format,
            temperature,
            max_tokens,
            seed,
        }))
    }

    fn schema(&self) -> Result<Option<Schema>, Refused> {
        let beside = self.name.file_stem().map(|stem| format!("{}.fields.toml", stem.to_string_lossy()));
        let fields = match self.text("fields")? {
            Some(file) => match self.file(file) {
                Some(text) => Some(text),
                None => return self.wrong("the fields file can't be read"),
            },
            None => beside.and_then(|name| self.file(&name)),
        };
        let schema = match self.text("response_format_schema")? {
            None => None,
            Some(file) => match self.file(file).and_then(|text| serde_json::from_str::<Json>(&text).ok()) {
                Some(schema) => Some(schema),
                None => return self.wrong("response_format_schema can't be read, or is no JSON"),
            },
        };
        let schema = match (schema, fields) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => return self.wrong("a fields file or response_format_schema, not both"),
            (Some(schema), None) => Schema::from_json_schema(&schema),
            (None, Some(text)) => Schema::from_fields(&text, &|file| self.file(file)),
        };
        schema.or_else(|refused| self.wrong(&refused.0)).map(Some)
    }

    fn file(&self, name: &str) -> Option<String> {
        self.folders.iter().find_map(|folder| read_some(&folder.join(name), LIMIT))
    }

    fn text(&self, key: &str) -> Result<Option<&str>, Refused> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => self.wrong(&format!("{key} is a text")),
        }
    }

    fn whole(&self, key: &str, least: i64, most: i64) -> Result<Option<i64>, Refused> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Integer(value)) if (least..=most).contains(value) => Ok(Some(*value)),
            Some(_) => self.wrong(&format!("{key} is {least} to {most}")),
        }
    }
}
