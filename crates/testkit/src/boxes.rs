//! All points and all boxes of small universes.

/// Every way to take one of each list; the last list changes fastest.
pub fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        let extend = |prefix: &Vec<T>| -> Vec<Vec<T>> {
            list.iter().map(|item| prefix.iter().chain([item]).cloned().collect()).collect()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

/// Every closed range inside a closed range.
pub fn ranges(lo: i128, hi: i128) -> Vec<(i128, i128)> {
    (lo..=hi).flat_map(|from| (from..=hi).map(move |to| (from, to))).collect()
}

/// Every clockwise interval of a width as its first value and how many follow it: the full circle once, at zero.
pub fn arcs(width: u8) -> Vec<(u64, u64)> {
    let size = 1u64 << width;
    let full = [(0, size - 1)];
    full.into_iter()
        .chain((0..size).flat_map(|lo| (0..size - 1).map(move |span| (lo, span))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{arcs, product, ranges};

    #[test]
    fn nothing_is_missing_and_nothing_is_twice() {
        let points = product(&[vec![1, 2], vec![3], vec![4, 5]]);
        assert_eq!(points, [[1, 3, 4], [1, 3, 5], [2, 3, 4], [2, 3, 5]]);
        assert_eq!(product::<u8>(&[]).len(), 1);
        assert_eq!(ranges(-1, 0), [(-1, -1), (-1, 0), (0, 0)]);
        assert_eq!(arcs(3).len(), 57);
    }
}
