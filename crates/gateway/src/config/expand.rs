//! `${NAME}`, `${NAME:-otherwise}` and `${env:NAME}` in a configuration, as the well-known hosts write them.

/// The text with its variables filled in.
///
/// # Errors
/// The name of a variable that is not set and has no other value.
pub(crate) fn expand(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((inside, tail)) = after.split_once('}') else {
            out.push_str("${");
            out.push_str(after);
            return Ok(out);
        };
        let inside = inside.strip_prefix("env:").unwrap_or(inside);
        let (name, otherwise) = match inside.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inside, None),
        };
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if is_name {
            match lookup(name).or_else(|| otherwise.map(str::to_owned)) {
                Some(value) => out.push_str(&value),
                None => return Err(name.to_owned()),
            }
        } else {
            // Some other scheme, such as ${workspaceFolder:x}: left as it is.
            out.push_str("${");
            out.push_str(inside);
            out.push('}');
        }
        rest = tail;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn variables_are_filled_in_and_missing_ones_named() {
        let lookup = |name: &str| (name == "HOME").then(|| "/h".to_owned());
        assert_eq!(expand("a ${HOME}/b ${env:HOME}", &lookup).unwrap(), "a /h/b /h");
        assert_eq!(expand("${NO:-x y}", &lookup).unwrap(), "x y");
        assert_eq!(expand("${NO}", &lookup), Err("NO".to_owned()));
        assert_eq!(expand("$HOME ${", &lookup).unwrap(), "$HOME ${");
    }
}
