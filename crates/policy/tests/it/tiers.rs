//! What an amount needs: people, strength, time.

use policy::{Currency, Rules, Strength, Tier};

use crate::setting::rules;

fn euro() -> Currency {
    Currency::new(*b"EUR").unwrap()
}

fn tiered() -> Rules {
    let tier =
        |currency, up_to, people, strength, expires| Tier { currency, up_to, people, strength, expires };
    Rules {
        tiers: vec![
            tier(Currency::USD, Some(10_000), 1, Strength::InPage, 3_600),
            tier(Currency::USD, Some(100_000), 1, Strength::Console, 7_200),
            tier(Currency::USD, None, 2, Strength::Console, 600),
            tier(euro(), Some(5_000), 1, Strength::Passkey, 1_800),
        ],
        ..rules()
    }
}

fn needs(currency: Currency, total: u64) -> (u8, Strength, u64) {
    let tier = tiered().tier(currency, total);
    assert_eq!(tier.currency, currency);
    (tier.people, tier.strength, tier.expires)
}

#[test]
fn the_first_tier_that_covers_the_total_counts() {
    assert_eq!(needs(Currency::USD, 1), (1, Strength::InPage, 3_600));
    assert_eq!(needs(Currency::USD, 10_000), (1, Strength::InPage, 3_600));
    assert_eq!(needs(Currency::USD, 10_001), (1, Strength::Console, 7_200));
    assert_eq!(needs(Currency::USD, 100_000), (1, Strength::Console, 7_200));
    assert_eq!(needs(Currency::USD, 100_001), (2, Strength::Console, 600));
    assert_eq!(needs(Currency::USD, u64::MAX), (2, Strength::Console, 600));
    assert_eq!(needs(euro(), 5_000), (1, Strength::Passkey, 1_800));
}

#[test]
fn a_total_above_every_tier_and_a_currency_without_one_need_the_most() {
    // Most people, highest strength, shortest time of all tiers.
    assert_eq!(needs(euro(), 5_001), (2, Strength::Passkey, 600));
    assert_eq!(needs(Currency::new(*b"JPY").unwrap(), 1), (2, Strength::Passkey, 600));
    assert_eq!(tiered().tier(euro(), 5_001).up_to, None);
}

#[test]
fn a_person_approves_whatever_the_rules_say() {
    let none = Rules { tiers: Vec::new(), ..rules() };
    let tier = none.tier(Currency::USD, 1);
    assert_eq!((tier.people, tier.strength, tier.expires), (1, Strength::InPage, 3_600));

    let mut nobody = tiered();
    for tier in &mut nobody.tiers {
        tier.people = 0;
    }
    assert_eq!(nobody.tier(Currency::USD, 1).people, 1);
    assert_eq!(nobody.tier(euro(), 5_001).people, 1);
}

#[test]
fn strengths_rise_from_the_page_to_the_passkey() {
    assert!(Strength::InPage < Strength::Console && Strength::Console < Strength::Passkey);
    assert_eq!(Strength::default(), Strength::InPage);
}
