//! Orders for compressing four 64-bit lanes on AVX2, which has no instruction for it.

/// Row `mask`: the 32-bit lanes of the 64-bit lanes in `mask`, first ones first.
pub(crate) const COMPRESS: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            if mask >> lane & 1 == 1 {
                table[mask][at] = 2 * lane;
                table[mask][at + 1] = 2 * lane + 1;
                at += 2;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};
