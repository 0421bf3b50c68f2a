//! Money: an integer of minor units and its ISO 4217 exponent, never a float.

use alloc::{format, string::String};
use core::fmt;

pub use policy::Currency;

/// An amount in minor units of a currency that is known from its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor(pub u64);

/// The largest amount that is read: 10¹² minor units.
pub const LARGEST: Minor = Minor(1_000_000_000_000);

/// Why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// Not written as an amount: only digits and at most one point.
    Unreadable,
    /// More decimals than the currency has.
    Decimals,
    /// Zero.
    Zero,
    /// Below zero.
    Negative,
    /// More than [`LARGEST`].
    TooLarge,
}

impl fmt::Display for AmountError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            AmountError::Unreadable => {
                "The amount must be written with digits and at most one decimal point, like 89 or 89.00."
            }
            AmountError::Decimals => "The amount has more decimals than the order's currency.",
            AmountError::Zero => "The amount must be more than zero.",
            AmountError::Negative => "The amount can't be negative.",
            AmountError::TooLarge => "The amount is too large.",
        })
    }
}

impl core::error::Error for AmountError {}

/// How many decimals a currency has (ISO 4217, list one of 2024); none if there is no such currency.
pub fn exponent(currency: Currency) -> Option<u32> {
    let code = currency.letters();
    let among = |list: &str| list.split(' ').any(|entry| entry.as_bytes() == code.as_slice());
    if among(NO_DECIMALS) {
        Some(0)
    } else if among(THREE_DECIMALS) {
        Some(3)
    } else if among(TWO_DECIMALS) {
        Some(2)
    } else {
        None
    }
}

const NO_DECIMALS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THREE_DECIMALS: &str = "BHD IQD JOD KWD LYD OMR TND";
const TWO_DECIMALS: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN \
    BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL \
    HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR \
    MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE \
    SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG";

impl Minor {
    /// Reads an amount in major units from a JSON value as it was written: `89`, `89.00` or `"89.00"`.
    ///
    /// # Errors
    /// Anything else: exponents, signs, separators, leading zeros, more decimals than the currency has, zero, and
    /// currencies that don't exist.
    pub fn from_json(raw: &str, currency: Currency) -> Result<Minor, AmountError> {
        let text = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
        Minor::from_text(text, currency)
    }

    /// Reads an amount in major units: `89` or `89.00`.
    ///
    /// # Errors
    /// As [`Minor::from_json`].
    pub fn from_text(text: &str, currency: Currency) -> Result<Minor, AmountError> {
        let decimals = exponent(currency).ok_or(AmountError::Unreadable)?;
        match text.strip_prefix('-') {
            Some(rest) => Err(unsigned(rest, decimals).map_or_else(|error| error, |_| AmountError::Negative)),
            None => unsigned(text, decimals),
        }
    }

    /// The amount in major units with all decimals of the currency: `89.00`.
    pub fn to_text(self, currency: Currency) -> String {
        match exponent(currency) {
            None | Some(0) => format!("{}", self.0),
            Some(decimals) => {
                let unit = 10_u64.pow(decimals);
                let width = usize::try_from(decimals).unwrap_or(0);
                format!("{}.{:0width$}", self.0 / unit, self.0 % unit)
            }
        }
    }

    /// The amount for a person: `$89.00`, `€89.00`, `89.00 CHF`.
    pub fn display(self, currency: Currency) -> String {
        let text = self.to_text(currency);
        match &currency.letters() {
            b"USD" => format!("${text}"),
            b"EUR" => format!("€{text}"),
            b"GBP" => format!("£{text}"),
            b"JPY" => format!("¥{text}"),
            letters => format!("{text} {}", letters.map(char::from).iter().collect::<String>()),
        }
    }
}

fn unsigned(text: &str, decimals: u32) -> Result<Minor, AmountError> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !fraction.is_none_or(digits) || (whole.len() > 1 && whole.starts_with('0')) {
        return Err(AmountError::Unreadable);
    }
    let fraction = fraction.unwrap_or("");
    let given = u32::try_from(fraction.len()).map_err(|_| AmountError::Decimals)?;
    let missing = decimals.checked_sub(given).ok_or(AmountError::Decimals)?;
    let minor = whole
        .bytes()
        .chain(fraction.bytes())
        .chain((0..missing).map(|_| b'0'))
        .try_fold(0_u64, |sum, byte| sum.checked_mul(10)?.checked_add(u64::from(byte - b'0')))
        .filter(|minor| *minor <= LARGEST.0)
        .ok_or(AmountError::TooLarge)?;
    if minor == 0 { Err(AmountError::Zero) } else { Ok(Minor(minor)) }
}

/// The three letters of a currency.
pub fn code(currency: Currency) -> String {
    currency.letters().map(char::from).iter().collect()
}

/// The currency with this code.
pub fn currency(code: &str) -> Option<Currency> {
    let letters: [u8; 3] = code.as_bytes().try_into().ok()?;
    Currency::new(letters).filter(|currency| exponent(*currency).is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usd(raw: &str) -> Result<u64, AmountError> {
        Minor::from_json(raw, Currency::USD).map(|minor| minor.0)
    }

    #[test]
    fn three_spellings_of_the_same_amount() {
        assert_eq!(usd("89"), Ok(8_900));
        assert_eq!(usd("89.00"), Ok(8_900));
        assert_eq!(usd("\"89.00\""), Ok(8_900));
        assert_eq!(usd("89.5"), Ok(8_950));
        assert_eq!(usd("0.01"), Ok(1));
    }

    #[test]
    fn what_is_not_an_amount_is_refused() {
        for raw in [
            "1e3",
            "1E3",
            "+1",
            "\"89,00\"",
            "\"1 000\"",
            "089",
            "89.",
            ".5",
            "\"\"",
            "null",
            "true",
            "[]",
            "{}",
            "\" 89\"",
            "\"89 \"",
            "0x10",
            "\"٨٩\"",
            "1.2.3",
            "\"",
            "\"\\u0038\"",
            "Infinity",
            "--1",
            "-",
        ] {
            assert_eq!(usd(raw), Err(AmountError::Unreadable), "{raw}");
        }
        assert_eq!(usd("0"), Err(AmountError::Zero));
        assert_eq!(usd("0.00"), Err(AmountError::Zero));
        assert_eq!(usd("-1"), Err(AmountError::Negative));
        assert_eq!(usd("-0"), Err(AmountError::Zero));
        assert_eq!(usd("0.001"), Err(AmountError::Decimals));
        assert_eq!(usd("89.999"), Err(AmountError::Decimals));
        assert_eq!(usd("10000000000.00"), Ok(LARGEST.0));
        assert_eq!(usd("10000000000.01"), Err(AmountError::TooLarge));
        assert_eq!(usd("99999999999999999999999999"), Err(AmountError::TooLarge));
    }

    #[test]
    fn a_currency_brings_its_decimals() {
        let jpy = currency("JPY").unwrap();
        assert_eq!(Minor::from_json("89", jpy), Ok(Minor(89)));
        assert_eq!(Minor::from_json("89.0", jpy), Err(AmountError::Decimals));
        assert_eq!(Minor(89).to_text(jpy), "89");
        let kwd = currency("KWD").unwrap();
        assert_eq!(Minor::from_json("1.234", kwd), Ok(Minor(1_234)));
        assert_eq!(Minor(1_234).to_text(kwd), "1.234");
        assert_eq!(Minor(5).to_text(Currency::USD), "0.05");
        assert_eq!(currency("usd"), None);
        assert_eq!(currency("ZZZ"), None);
        assert_eq!(currency("US"), None);
        assert_eq!(code(Currency::USD), "USD");
        let invented = Currency::new(*b"ZZZ").unwrap();
        assert_eq!(Minor::from_json("1", invented), Err(AmountError::Unreadable));
        assert_eq!(Minor(1).to_text(invented), "1");
    }

    #[test]
    fn a_person_reads_the_currency() {
        let shown = |code: &str| Minor(8_900).display(currency(code).unwrap());
        assert_eq!(shown("USD"), "$89.00");
        assert_eq!(shown("EUR"), "€89.00");
        assert_eq!(shown("GBP"), "£89.00");
        assert_eq!(shown("JPY"), "¥8900");
        assert_eq!(shown("CHF"), "89.00 CHF");
    }

    #[test]
    fn each_error_is_a_sentence_of_its_own() {
        use AmountError::{Decimals, Negative, TooLarge, Unreadable, Zero};
        let sentences = [Unreadable, Decimals, Zero, Negative, TooLarge].map(|error| error.to_string());
        assert!(sentences.iter().all(|sentence| sentence.ends_with('.')));
        let distinct: std::collections::BTreeSet<_> = sentences.iter().collect();
        assert_eq!(distinct.len(), sentences.len());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(minor in 1..=LARGEST.0, code in prop::sample::select(vec!["USD", "JPY", "KWD"])) {
            let currency = currency(code).unwrap();
            let text = Minor(minor).to_text(currency);
            prop_assert_eq!(Minor::from_json(&text, currency), Ok(Minor(minor)));
            prop_assert_eq!(Minor::from_json(&format!("\"{text}\""), currency), Ok(Minor(minor)));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,40}") {
            let _ = Minor::from_json(&text, Currency::USD);
        }
    }
}
