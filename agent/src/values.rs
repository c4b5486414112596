//! The values of options: what a mistake in one of them says.

use serde_json::Value;
use ureq::http::Uri;

/// The longest wait for an answer of a model, in seconds.
const LONGEST_TIMEOUT: u64 = 86_400;

/// A whole number from 1.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a whole number from 1".to_owned())
}

/// Seconds for an answer.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    let number = positive(text).ok().filter(|number| *number <= LONGEST_TIMEOUT);
    number.ok_or_else(|| format!("expected whole seconds from 1 to {LONGEST_TIMEOUT}"))
}

/// An amount of money, not zero.
pub(crate) fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| "expected an amount in USD that is more than 0, such as `2.50`".to_owned())
}

/// `IN/OUT`, in USD per million tokens.
pub(crate) fn price(text: &str) -> Result<(f64, f64), String> {
    let amount =
        |text: &str| text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
    let both = text.split_once('/').and_then(|(input, output)| Some((amount(input)?, amount(output)?)));
    both.ok_or_else(|| "expected two prices in USD per million tokens, such as `3/15`".to_owned())
}

/// The URL of an endpoint without the path of a request.
pub(crate) fn base_url(text: &str) -> Result<String, String> {
    let expected = "expected a URL such as `http://localhost:11434`";
    let uri: Uri = text.parse().map_err(|error| format!("{error}: {expected}"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(expected.to_owned());
    }
    if uri.query().is_some() {
        return Err(format!("a query is not supported: {expected}"));
    }
    if let Some(path) = ["/messages", "/completions"].iter().find(|path| uri.path().ends_with(*path)) {
        return Err(format!("the agent adds the path itself (`...{path}`): {expected}"));
    }
    Ok(text.to_owned())
}

/// `NAME=TEXT` or `NAME:=JSON`.
pub(crate) fn pair(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let (name, value) = match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(value)
                .map_err(|error| format!("the value after `:=` is not JSON: {error}"))?;
            (name, value)
        }
        None => (name, value.into()),
    };
    match name.trim().is_empty() {
        true => Err("the name before `=` is empty".to_owned()),
        false => Ok((name.to_owned(), value)),
    }
}

/// Pairs as an object; a name that is given twice is a mistake.
pub(crate) fn object(
    option: &str,
    pairs: Vec<(String, Value)>,
) -> Result<serde_json::Map<String, Value>, String> {
    let mut object = serde_json::Map::new();
    for (name, value) in pairs {
        if object.contains_key(&name) {
            return Err(format!("`{option} {name}=...` is given twice"));
        }
        object.insert(name, value);
    }
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::{amount, base_url, pair, positive, price, seconds};

    #[test]
    fn values() {
        assert_eq!((positive("7"), seconds("86400")), (Ok(7), Ok(86_400)));
        assert!(positive("0").is_err() && positive("-1").is_err() && positive("1e3").is_err());
        assert!(
            seconds("0").is_err() && seconds("86401").is_err() && seconds("18446744073709551615").is_err()
        );
        assert!(
            amount("0.5").is_ok() && amount("0").is_err() && amount("nan").is_err() && amount("-1").is_err()
        );
        assert!(price("3/15").is_ok() && price("3").is_err() && price("3/inf").is_err());
        for url in ["http://localhost:1", "https://x.org/v1", "https://x.org/a/v1/"] {
            assert_eq!(base_url(url), Ok(url.to_owned()));
        }
        for url in [
            "nonsense",
            "localhost:11434",
            "ftp://x",
            "http://",
            "http://a b",
            "http://x?y",
            "http://x/v1/messages",
        ] {
            assert!(base_url(url).is_err(), "{url}");
        }
        assert!(pair("a=1").is_ok() && pair("=1").is_err() && pair(":=1").is_err() && pair("a:=x").is_err());
    }
}
