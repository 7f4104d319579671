//! Work items of a kernel with code, in groups that go to a thread together.
//!
//! In: extents, and how many work items go together. Out: the first work item of each group. A group lies in one row, along the last axis. It begins at a
//! multiple of its size there: an element is in the same vector whichever thread computes it, and has the same bits.

/// Groups of work items in linear order.
pub(super) struct Groups {
    /// Work items of a row.
    row: i64,
    /// Work items of a group, but for the last of its row.
    size: i64,
    in_row: i64,
    count: i64,
}

impl Groups {
    /// `size`: at least 1.
    pub(super) fn of(extents: &[i64], size: i64) -> Groups {
        let (row, outer) = extents.split_last().map_or((1, &[][..]), |(row, outer)| (*row, outer));
        let in_row = row / size + i64::from(row % size != 0);
        Groups { row, size, in_row, count: outer.iter().product::<i64>() * in_row }
    }

    /// How many there are.
    pub(super) fn count(&self) -> i64 {
        self.count
    }

    /// The first work item of group `n`; all work items come before the one behind the last group.
    pub(super) fn first_point(&self, n: i64) -> i64 {
        let in_row = self.in_row.max(1);
        n / in_row * self.row + n % in_row * self.size
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    fn first_points(extents: &[i64], size: i64) -> Vec<i64> {
        let groups = Groups::of(extents, size);
        (0..=groups.count()).map(|n| groups.first_point(n)).collect()
    }

    #[test]
    fn groups_begin_at_multiples_of_their_size_in_each_row() {
        assert_eq!(first_points(&[2, 5], 2), [0, 2, 4, 5, 7, 9, 10]);
        assert_eq!(first_points(&[130], 64), [0, 64, 128, 130]);
        assert_eq!(first_points(&[2, 2, 3], 64), [0, 3, 6, 9, 12]);
        assert_eq!(first_points(&[3, 2], 1), [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn there_are_none_of_no_points() {
        for extents in [&[0][..], &[3, 0], &[0, 3]] {
            assert_eq!(first_points(extents, 64), [0]);
        }
        assert_eq!(first_points(&[], 64), [0, 1]);
    }
}
