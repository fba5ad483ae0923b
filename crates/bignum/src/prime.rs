//! Miller-Rabin with a given witness.
use zeroize::Zeroizing;

use crate::barrett::Barrett;
use crate::error::{Error, same_width};
use crate::{fz, limb, shift};

/// Mask of `n` passing for a prime with `witness`, which is reduced modulo n. 0, 1 and even numbers
/// above 2 fail; 2 passes.
///
/// Every odd n above 1 passes with a witness that is 0, 1 or n - 1 modulo n: such a witness says
/// nothing. Of the others, from 2 to n - 2, at most a quarter pass where n is composite; draw them
/// at random if somebody else chose n.
///
/// # Constant time
/// In both: bits(n) squarings, for any power of two in n - 1.
/// # Errors
/// [`Error::Width`].
/// # Source
/// Rabin 1980; FFA Ch. 21.
pub fn miller_rabin(n: &[u64], witness: &[u64]) -> Result<u64, Error> {
    same_width(n.len(), witness)?;
    if n.is_empty() {
        return Ok(0);
    }
    let mut odd = Zeroizing::new(n.to_vec());
    odd[0] |= 1;
    let ring = Barrett::new(&odd)?;
    let mut less = odd.clone();
    less[0] ^= 1;
    let twos = shift::trailing_zeros(&less);
    let mut d = less.clone();
    shift::quiet_shr(&mut d, twos);
    let mut x = Zeroizing::new(vec![0; n.len()]);
    let mut y = x.clone();
    ring.pow(&mut y, witness, &d)?;
    let mut one = vec![0; n.len()];
    one[0] = 1;
    // The witness is tested, not its power: 3 is a witness against 27, and its power modulo 27 is
    // 0.
    ring.mul(&mut x, witness, &one)?;
    let mut pass = fz::eq(&y, &one) | fz::is_zero(&x);
    for i in 0..64 * n.len() as u64 {
        // Step i counts while i < twos.
        pass |= fz::eq(&y, &less) & limb::mask(i.wrapping_sub(twos) >> 63);
        x.copy_from_slice(&y);
        ring.square(&mut y, &x)?;
    }
    pass &= fz::is_odd(n) & !fz::eq(n, &one);
    one[0] = 2;
    Ok(pass | fz::eq(n, &one))
}
