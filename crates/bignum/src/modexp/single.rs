//! One exponentiation by the engine that [`choose`] names.
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::U64x8;
use tautochrone_simd::{Isa, declassify};

use super::choose::{Engine, Group, Method, choose};
use super::job::Job;
#[cfg(target_arch = "x86_64")]
use super::{ifma, ifma_x8};
use crate::barrett::Barrett;
use crate::error::{Error, same_width};
use crate::exponent::Exponent;
use crate::fz;
use crate::montgomery::Montgomery;

/// Whether the modulus is known to be odd: [`Method::Barrett`] does not look.
pub(super) fn known_odd(method: Method, m: &[u64]) -> bool {
    method != Method::Barrett && declassify(fz::is_odd(m)) != 0
}

/// `r := base^exponent mod m`; `r`, `base` and `m` of one width, the exponent of any.
///
/// # Constant time
/// In base, exponent and modulus; [`Method::Auto`] may show the parity of the modulus.
/// # Errors
/// [`Error::ZeroModulus`], [`Error::EvenModulus`], [`Error::Width`].
pub fn modexp(
    isa: Isa,
    method: Method,
    r: &mut [u64],
    base: &[u64],
    exponent: &[u64],
    m: &[u64],
) -> Result<(), Error> {
    power(isa, method, r, base, Exponent::secret(exponent), m)
}

/// The power of one job.
pub(super) fn alone(isa: Isa, method: Method, job: &Job<'_>) -> Result<Vec<u64>, Error> {
    let mut r = vec![0; job.modulus.len()];
    modexp(isa, method, &mut r, job.base, job.exponent, job.modulus).map(|()| r)
}

/// [`modexp`] by a secret exponent, or by a public one in a time that depends on it.
pub(super) fn power(
    isa: Isa,
    method: Method,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
) -> Result<(), Error> {
    if m.is_empty() || declassify(fz::is_zero(m)) != 0 {
        return Err(Error::ZeroModulus);
    }
    let odd = known_odd(method, m);
    if method == Method::Montgomery && !odd {
        return Err(Error::EvenModulus);
    }
    same_width(m.len(), r)?;
    same_width(m.len(), base)?;
    let engine = choose(isa, method, m.len(), odd, Group::single(odd));
    run(engine, isa, r, base, exponent, m)
}

/// [`modexp`] by a given engine, of operands that it is made for.
fn run(
    engine: Engine,
    isa: Isa,
    r: &mut [u64],
    base: &[u64],
    exponent: Exponent<'_>,
    m: &[u64],
) -> Result<(), Error> {
    match engine {
        Engine::ScalarMontgomery => Montgomery::new_on(isa, m)?.power(r, base, exponent),
        Engine::ScalarBarrett => Barrett::new_on(isa, m)?.pow_scalar(r, base, exponent),
        #[cfg(target_arch = "x86_64")]
        Engine::IfmaMontgomery(token) => {
            ifma::montgomery::modexp::<U64x8<_>>(token, r, base, exponent, m);
            Ok(())
        }
        #[cfg(target_arch = "x86_64")]
        Engine::IfmaBarrett(token) => {
            ifma::barrett::modexp::<U64x8<_>>(token, r, base, exponent, m);
            Ok(())
        }
        #[cfg(target_arch = "x86_64")]
        Engine::IfmaX8(token) => {
            let jobs = [Job { base, exponent: exponent.limbs(), modulus: m }];
            r.copy_from_slice(&ifma_x8::modexp::<U64x8<_>>(token, &jobs)[0]);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn every_engine_computes_the_same_powers() {
        for isa in Isa::all() {
            #[cfg_attr(
                not(target_arch = "x86_64"),
                allow(unused_mut, reason = "there are no more")
            )]
            let mut engines =
                vec![(Engine::ScalarMontgomery, false), (Engine::ScalarBarrett, true)];
            #[cfg(target_arch = "x86_64")]
            {
                engines.extend(isa.ifma().map(|token| (Engine::IfmaMontgomery(token), false)));
                engines.extend(isa.ifma().map(|token| (Engine::IfmaBarrett(token), true)));
                engines.extend(isa.ifma().map(|token| (Engine::IfmaX8(token), true)));
            }
            for (engine, even) in engines {
                let modexp = |engine, r: &mut [u64], base: &[u64], exponent: &[u64], m: &[u64]| {
                    let secret = Exponent::secret(exponent);
                    run(engine, isa, r, base, secret, m).expect("a modulus");
                    let mut public = vec![0; r.len()];
                    let exponent = Exponent::public(exponent);
                    run(engine, isa, &mut public, base, exponent, m).expect("a modulus");
                    assert_eq!(public, r, "a public exponent");
                };
                check(engine, modexp, &[1], false);
                check(engine, modexp, &[4, 8, 9, 24, 33], even);
            }
        }
    }
}
