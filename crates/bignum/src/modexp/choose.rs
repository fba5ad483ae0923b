//! Which engine computes an exponentiation: the only place that decides.
//!
//! Speeds were measured on Zen 4 and Zen 5 (`benches/record/2026-11-23-zen4-bignum-ice.md`,
//! `2026-11-23-zen5-bignum.md`), and speeds of lanes agree with Zen 5 on Emerald Rapids
//! (`2026-11-23-emeraldrapids-bignum-ice.md`); every engine gives the same powers.
use tautochrone_simd::Isa;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Ifma, Ports};

#[cfg(target_arch = "x86_64")]
use super::{ifma, ifma_x8};

/// How to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The fastest: Montgomery for odd moduli and Barrett for even ones, so that the parity
    /// shows in the time. Where eight lanes of AVX-512 IFMA are full, Barrett for all.
    Auto,
    /// Barrett, for every modulus in the same time.
    Barrett,
    /// Montgomery, for odd moduli.
    Montgomery,
}

/// The engines, each with the token of the instructions that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// Montgomery's arithmetic on limbs, for odd moduli of any width.
    ScalarMontgomery,
    /// Barrett's arithmetic on limbs, for any modulus.
    ScalarBarrett,
    /// Montgomery's arithmetic on digits of 52 bits, for odd moduli.
    #[cfg(target_arch = "x86_64")]
    IfmaMontgomery(Ifma),
    /// Barrett's arithmetic on digits of 52 bits, for any modulus.
    #[cfg(target_arch = "x86_64")]
    IfmaBarrett(Ifma),
    /// Barrett's arithmetic on digits of 52 bits, for up to eight moduli of one width at once.
    #[cfg(target_arch = "x86_64")]
    IfmaX8(Ifma),
}

/// How many exponentiations of one width could share the lanes of [`Engine::IfmaX8`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The engines whose moduli are known to be odd.
    pub(crate) odd: usize,
    /// All others.
    pub(crate) other: usize,
}

impl Group {
    /// One exponentiation on its own.
    pub(crate) fn single(odd: bool) -> Self {
        Self { odd: usize::from(odd), other: usize::from(!odd) }
    }
}

/// The engine for one exponentiation in a group that may run together: modulus of `limbs` limbs,
/// `odd` if it is known to be odd. [`Method::Barrett`] does not look: then it is false, and so it
/// is for all of the group. With [`Method::Montgomery`] it is true.
///
/// [`Engine::IfmaX8`] is the answer for all members of a group, or for none.
pub(crate) fn choose(isa: Isa, method: Method, limbs: usize, odd: bool, group: Group) -> Engine {
    #[cfg(target_arch = "x86_64")]
    if let Some(ifma) = isa.ifma() {
        let [eight_lanes, montgomery] = costs(Ports::here().multiplications, limbs);
        if method != Method::Montgomery
            && limbs <= ifma_x8::MAX_LIMBS
            && montgomery * group.odd + 10 * group.other >= eight_lanes
        {
            return Engine::IfmaX8(ifma);
        }
        // Times as fast as general registers: 0.4, 0.5 and 0.75 for one to three limbs, 1.1 to 3.9
        // from four limbs on, but 0.87 to 1.0 for eight, which are a whole row of general
        // registers.
        if odd && matches!(limbs, 4..=7 | 9..=ifma::montgomery::MAX_LIMBS) {
            return Engine::IfmaMontgomery(ifma);
        }
        // For even moduli, general registers are faster for one limb and as fast for two. For odd
        // moduli, Barrett's arithmetic takes over where Montgomery's becomes too wide for
        // registers.
        let too_wide = method == Method::Auto && limbs > ifma::montgomery::MAX_LIMBS;
        if (!odd || too_wide) && matches!(limbs, 3..=ifma::barrett::MAX_LIMBS) {
            return Engine::IfmaBarrett(ifma);
        }
    }
    // On general registers, Montgomery's reduction takes one product of full width, Barrett's two.
    if odd { Engine::ScalarMontgomery } else { Engine::ScalarBarrett }
}

/// The cost of eight lanes, full or not, and of one odd modulus by itself, in tenths of one
/// exponentiation by [`Engine::IfmaBarrett`]: lanes pay where they are faster than one after the
/// other.
///
/// Classes are numbers of whole blocks of eight digits in lanes. One number takes few registers and
/// mostly waits for latencies, lanes for multiply-adds: so the ratio depends on how many start in a
/// cycle. Measured on Zen 4, with one, and on Zen 5, with two, at both ends of each class
/// (`benches/bignum.rs`, `lanes`). Up to 6 limbs a pass takes 8 to 10, but one job is left to
/// itself.
#[cfg(target_arch = "x86_64")]
fn costs(multiply_adds_per_cycle: u32, limbs: usize) -> [usize; 2] {
    let [one_a_cycle, two_a_cycle] = match limbs {
        0..=6 => [[11, 5], [11, 5]],
        7..=12 => [[22, 6], [16, 8]],
        13..=19 => [[32, 6], [26, 8]],
        20..=25 => [[43, 8], [37, 8]],
        26..=32 => [[46, 7], [40, 7]],
        33..=48 => [[57, 10], [50, 9]],
        49..=64 => [[60, 10], [58, 9]],
        _ => [[60, 10], [66, 10]],
    };
    if multiply_adds_per_cycle == 1 { one_a_cycle } else { two_a_cycle }
}

/// Whether two odd moduli of so many limbs share registers. Beside one after the other, a pair
/// takes 0.43 to 0.51 of the time at 7 to 9 limbs and 0.58 to 0.74 at 12 to 16 (Sapphire Rapids,
/// Zen 4), and from 17 limbs on 0.83 to 1.05.
#[cfg(target_arch = "x86_64")]
pub(crate) fn pair(isa: Isa, limbs: [usize; 2]) -> Option<Ifma> {
    isa.ifma().filter(|_| limbs.iter().all(|n| (7..=ifma::pair::MAX_LIMBS).contains(n)))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tautochrone_simd::Feature;

    use super::*;

    /// The engines of all widths up to 600 limbs, as the first width of each run with its engine.
    fn runs(isa: Isa, method: Method, odd: bool) -> Vec<(usize, Engine)> {
        let mut runs: Vec<(usize, Engine)> = Vec::new();
        for limbs in 1..=600 {
            let engine = choose(isa, method, limbs, odd, Group::single(odd));
            if runs.last().is_none_or(|&(_, last)| last != engine) {
                runs.push((limbs, engine));
            }
        }
        runs
    }

    #[test]
    fn without_ifma_the_parity_alone_decides() {
        for isa in [Isa::PORTABLE, Isa::detect().without(Feature::Ifma)] {
            for method in [Method::Auto, Method::Montgomery] {
                assert_eq!(runs(isa, method, true), [(1, Engine::ScalarMontgomery)]);
            }
            for method in [Method::Auto, Method::Barrett] {
                assert_eq!(runs(isa, method, false), [(1, Engine::ScalarBarrett)]);
            }
        }
    }

    #[test]
    fn ifma_takes_all_but_narrow_and_very_wide_moduli() {
        let isa = Isa::detect();
        let Some(ifma) = isa.ifma() else { return };
        let (scalar, montgomery) = (Engine::ScalarMontgomery, Engine::IfmaMontgomery(ifma));
        let barrett = Engine::IfmaBarrett(ifma);
        let narrow = [(1, scalar), (4, montgomery), (8, scalar), (9, montgomery)];
        assert_eq!(
            runs(isa, Method::Auto, true),
            [&narrow[..], &[(65, barrett), (513, scalar)]].concat()
        );
        assert_eq!(runs(isa, Method::Montgomery, true), [&narrow[..], &[(65, scalar)]].concat());
        let scalar = Engine::ScalarBarrett;
        for method in [Method::Auto, Method::Barrett] {
            let want = [(1, scalar), (3, barrett), (513, scalar)];
            assert_eq!(runs(isa, method, false), want, "{method:?}");
        }
    }

    /// The smallest groups that fill enough lanes, and one job less.
    #[test]
    fn eight_lanes_are_used_where_they_pay() {
        let Some(ifma) = Isa::detect().ifma() else { return };
        let in_lanes = |method, limbs, odd, other| {
            let engine = choose(Isa::detect(), method, limbs, odd > 0, Group { odd, other });
            engine == Engine::IfmaX8(ifma)
        };
        for limbs in [1, 12, 32, 512] {
            let [eight_lanes, montgomery] = costs(Ports::here().multiplications, limbs);
            let (other, odd) = (eight_lanes.div_ceil(10), eight_lanes.div_ceil(montgomery));
            assert!(in_lanes(Method::Barrett, limbs, 0, other), "{limbs}");
            assert!(!in_lanes(Method::Barrett, limbs, 0, other - 1), "{limbs}");
            assert!(in_lanes(Method::Auto, limbs, odd, 0), "{limbs}");
            assert!(!in_lanes(Method::Auto, limbs, odd - 1, 0), "{limbs}");
            assert!(!in_lanes(Method::Montgomery, limbs, 8, 0), "{limbs}");
        }
        assert!(!in_lanes(Method::Barrett, 513, 0, 8), "wider than the lanes' columns");
    }
}
