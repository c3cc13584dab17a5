//! Arithmetic modulo a prime: exact, and every number fits in a word.
//!
//! What is zero over the integers is zero here; the converse fails only where the prime
//! divides a determinant of the table, one chance in two thousand million for each
//! comparison. A wrong answer hides a cell too many, or lets a primary be recomputed,
//! which the audit sees.

/// The largest prime below 2³¹: products of two residues fit in 64 bits.
const PRIME: u64 = 2_147_483_647;

/// A residue.
pub type Residue = u32;

/// A sparse vector: places rising, no zeros.
pub type Sparse = Vec<(u32, Residue)>;

/// The residue of an integer.
pub fn residue(value: i32) -> Residue {
    i64::from(value).rem_euclid(PRIME as i64) as Residue
}

/// `a · b`.
pub fn product(a: Residue, b: Residue) -> Residue {
    (u64::from(a) * u64::from(b) % PRIME) as Residue
}

/// `a − b · c`.
pub fn minus_product(a: Residue, b: Residue, c: Residue) -> Residue {
    let taken = u64::from(product(b, c));
    ((u64::from(a) + PRIME - taken) % PRIME) as Residue
}

/// `−a`.
pub fn negative(a: Residue) -> Residue {
    minus_product(0, a, 1)
}

/// `1 / a`, by Fermat's little theorem; zero for zero.
pub fn inverse(a: Residue) -> Residue {
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, base);
        }
        base = product(base, base);
        exponent >>= 1;
    }
    result
}

/// `a − factor · b` into `result`; calls `filled` for every place that was zero in `a`.
pub fn subtract(
    a: &[(u32, Residue)],
    factor: Residue,
    b: &[(u32, Residue)],
    result: &mut Sparse,
    mut filled: impl FnMut(u32),
) {
    result.clear();
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some(&&(place, value)), Some(&&(other, _))) if place < other => {
                result.push((place, value));
                left.next();
            }
            (Some(&&(place, value)), Some(&&(other, taken))) if place == other => {
                let rest = minus_product(value, factor, taken);
                if rest != 0 {
                    result.push((place, rest));
                }
                left.next();
                right.next();
            }
            (_, Some(&&(place, taken))) => {
                result.push((place, minus_product(0, factor, taken)));
                filled(place);
                right.next();
            }
            (Some(&&entry), None) => {
                result.push(entry);
                left.next();
            }
            (None, None) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_residue_has_its_inverse() {
        for a in [1, 2, 3, 1_000_003, 2_147_483_646, residue(-1)] {
            assert_eq!(product(a, inverse(a)), 1);
        }
        assert_eq!(residue(-1), negative(1));
    }

    #[test]
    fn sparse_vectors_are_subtracted_place_by_place() {
        let (a, b) = (vec![(1, 5), (3, 4)], vec![(0, 1), (3, 2)]);
        let (mut result, mut filled) = (Vec::new(), Vec::new());
        subtract(&a, 2, &b, &mut result, |place| filled.push(place));
        assert_eq!(result, [(0, residue(-2)), (1, 5)]);
        assert_eq!(filled, [0]);
    }
}
