//! A small suite that loses no goal: greedy set cover, deterministic.

use glassbox_coverage::Covered;

/// Which tests to keep, in order. `reaches[test]` lists the goals a test reaches by itself; `pairs` are
/// goals that need two tests.
pub fn minimize(n_goals: usize, reaches: &[Vec<usize>], pairs: &[(usize, Covered)]) -> Vec<usize> {
    let mut is_kept = vec![false; reaches.len()];
    let mut is_covered = vec![false; n_goals];
    let keep = |test: usize, is_kept: &mut Vec<bool>, is_covered: &mut Vec<bool>| {
        is_kept[test] = true;
        for &goal in &reaches[test] {
            is_covered[goal] = true;
        }
    };
    for (goal, how) in pairs {
        for test in how.runs() {
            keep(test, &mut is_kept, &mut is_covered);
        }
        is_covered[*goal] = true;
    }
    loop {
        let gain = |test: usize| reaches[test].iter().filter(|&&goal| !is_covered[goal]).count();
        // The earliest of the best: ties do not depend on anything but order.
        let best = (0..reaches.len()).max_by_key(|&test| (gain(test), reaches.len() - test));
        match best {
            Some(test) if gain(test) > 0 => keep(test, &mut is_kept, &mut is_covered),
            _ => break,
        }
    }
    (0..reaches.len()).filter(|&test| is_kept[test]).collect()
}

#[cfg(test)]
mod tests {
    use super::minimize;

    #[test]
    fn one_test_that_reaches_all_is_enough() {
        assert_eq!(minimize(3, &[vec![0], vec![0, 1, 2], vec![2]], &[]), [1]);
    }

    #[test]
    fn ties_go_to_the_earlier_test() {
        assert_eq!(minimize(2, &[vec![0], vec![1], vec![0], vec![1]], &[]), [0, 1]);
    }
}
