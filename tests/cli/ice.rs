//! The `ice` example as a user of game files runs it.

use tautochrone::ctr::{Label, Seed};

#[path = "../../examples/ice/text.rs"]
mod text;

/// Bytes that continue a text have probabilities that add up to at most 1, or 4/3 where UTF-8 may
/// be cut off; and so random bytes reach a threshold no more often than it says.
#[test]
fn evidence_is_a_likelihood_ratio() {
    let sum = |evidence: &dyn Fn(&[u8]) -> f64, before: &[u8]| {
        let mut bytes = [before, &[0; 2]].concat();
        let ratios = (0..=u16::MAX).map(|end| {
            bytes[before.len()..].copy_from_slice(&end.to_le_bytes());
            tautochrone::gauss::float::exp2(evidence(&bytes) - evidence(before))
        });
        ratios.sum::<f64>() / 65536.0
    };
    let utf16 = |bytes: &[u8]| text::utf16(bytes, u16::from_le_bytes);
    for before in ["", "a", "ab", "two words", "речь", "речь and more", "明", "\u{1}\u{1}"]
    {
        let utf8_sum = sum(&text::utf8, before.as_bytes());
        assert!((0.1..4.0 / 3.0).contains(&utf8_sum), "{before}: {utf8_sum}");
        let before: Vec<u8> = before.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_sum = sum(&utf16, &before);
        assert!((0.1..1.0 + 1e-9).contains(&utf16_sum), "{before:?}: {utf16_sum}");
    }
    let mut stream = Seed::from_bytes([6; 32]).stream(Label::new("ice: evidence"), 0);
    for probability in [1.0, 0.1, 0.01] {
        let mut reached = 0;
        for i in 0..8_000 {
            let mut bytes = [0; 64];
            let bytes = &mut bytes[..8 + i % 57];
            stream.fill(bytes);
            reached += u32::from(text::evidence(bytes) > text::threshold(1, probability));
        }
        assert!(f64::from(reached) <= 8_000.0 * probability, "{reached} of {probability}");
    }
}
