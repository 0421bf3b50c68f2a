//! A schema from a fields file: one table per field.

use toml::{Table, Value};

use super::{DateRange, Field, Kind, NumberRange, Refused, Schema, refused};

/// Text longer than this is not asked for.
const TEXT: usize = 256 << 10;

impl Schema {
    /// Reads a fields file. `list` gives the text of a file that the fields file names.
    ///
    /// # Errors
    /// It is no TOML, a field has no type we know, or a setting that its type does not have.
    pub fn from_fields(text: &str, list: &dyn Fn(&str) -> Option<String>) -> Result<Self, Refused> {
        let table: Table = match text.parse() {
            Ok(table) => table,
            Err(_) => return refused("the fields file is no TOML"),
        };
        let field = |(name, value): (&String, &Value)| match value.as_table() {
            Some(table) => Settings { name, table }.field(list),
            None => refused(format!("{name}: a field is a table with a type")),
        };
        Self::new(table.iter().map(field).collect::<Result<_, _>>()?)
    }
}

struct Settings<'a> {
    name: &'a str,
    table: &'a Table,
}

impl Settings<'_> {
    fn field(&self, list: &dyn Fn(&str) -> Option<String>) -> Result<Field, Refused> {
        let kind = match self.text("type")?.unwrap_or_default() {
            "boolean" => {
                self.only(&[])?;
                Kind::Boolean
            }
            "enum" | "code" => {
                self.only(&["values", "values_file"])?;
                Kind::Choice(self.values(list)?)
            }
            "number" => {
                self.only(&["min", "max", "decimals"])?;
                self.number()?
            }
            "date" => {
                self.only(&["from", "to"])?;
                self.date()?
            }
            "record" => {
                self.only(&["values", "values_file"])?;
                let record = |line: String| match line.split_once('\t') {
                    Some((value, id)) => (value.trim().to_owned(), id.trim().to_owned()),
                    None => (line.clone(), line),
                };
                Kind::Record(self.values(list)?.into_iter().map(record).collect())
            }
            "text" => {
                self.only(&["max_bytes"])?;
                Kind::Text { most: self.whole("max_bytes", TEXT)?, json: false }
            }
            "texts" => {
                self.only(&["max_bytes", "max_items"])?;
                Kind::Texts { items: self.whole("max_items", 32)?, most: self.whole("max_bytes", TEXT)? }
            }
            _ => return self.wrong("type is one of boolean, enum, code, number, date, record, text, texts"),
        };
        let mut field = Field::new(self.name, kind);
        field.required = match self.table.get("required") {
            None => true,
            Some(Value::Boolean(required)) => *required,
            Some(_) => return self.wrong("required is true or false"),
        };
        field.hint = self.text("description")?.map(str::to_owned);
        field.pointer = self.text("pointer")?.map(str::to_owned);
        if field.pointer.as_ref().is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
            return self.wrong("pointer is a JSON pointer such as /fields/priority");
        }
        Ok(field)
    }

    fn wrong<T>(&self, says: &str) -> Result<T, Refused> {
        refused(format!("{}: {says}", self.name))
    }

    fn only(&self, more: &[&str]) -> Result<(), Refused> {
        let known = ["type", "required", "description", "pointer"];
        match self.table.keys().find(|key| !known.contains(&key.as_str()) && !more.contains(&key.as_str())) {
            Some(key) => self.wrong(&format!("{key} is not a setting of this type")),
            None => Ok(()),
        }
    }

    fn text(&self, key: &str) -> Result<Option<&str>, Refused> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => self.wrong(&format!("{key} is a text")),
        }
    }

    fn whole(&self, key: &str, most: usize) -> Result<usize, Refused> {
        match self.table.get(key) {
            None => Ok(most),
            Some(Value::Integer(value)) => match usize::try_from(*value) {
                Ok(value) if (1..=most).contains(&value) => Ok(value),
                _ => self.wrong(&format!("{key} is 1 to {most}")),
            },
            Some(_) => self.wrong(&format!("{key} is a whole number")),
        }
    }

    fn values(&self, list: &dyn Fn(&str) -> Option<String>) -> Result<Vec<String>, Refused> {
        match (self.table.get("values"), self.text("values_file")?) {
            (Some(Value::Array(values)), None) => {
                let texts = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
                match texts {
                    Some(texts) => Ok(texts),
                    None => self.wrong("values is a list of texts"),
                }
            }
            (None, Some(file)) => match list(file) {
                Some(text) => {
                    let lines =
                        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                    Ok(lines.map(str::to_owned).collect())
                }
                None => self.wrong("values_file can't be read"),
            },
            _ => self.wrong("needs values (a list of texts) or values_file"),
        }
    }

    fn number(&self) -> Result<Kind, Refused> {
        let end = |key: &str| match self.table.get(key) {
            Some(Value::Integer(value)) => Ok(value.to_string()),
            Some(Value::Float(value)) => Ok(value.to_string()),
            _ => self.wrong(&format!("a number needs {key}")),
        };
        let decimals = match self.table.get("decimals") {
            None => 0,
            Some(Value::Integer(value)) => u32::try_from(*value).unwrap_or(u32::MAX),
            Some(_) => return self.wrong("decimals is a whole number"),
        };
        match NumberRange::new(&end("min")?, &end("max")?, decimals) {
            Some(range) => Ok(Kind::Number(range)),
            None => self.wrong("min is below max, and both have at most the decimals given (6 at most)"),
        }
    }

    fn date(&self) -> Result<Kind, Refused> {
        let day = |key: &str, otherwise: &str| match self.table.get(key) {
            None => Ok(otherwise.to_owned()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Datetime(day)) => Ok(day.to_string()),
            Some(_) => self.wrong(&format!("{key} is a day such as 2026-11-30")),
        };
        match DateRange::new(&day("from", "1970-01-01")?, &day("to", "2099-12-31")?) {
            Some(range) => Ok(Kind::Date(range)),
            None => self.wrong("from is a day before to, both as YYYY-MM-DD"),
        }
    }
}
