//! Columns as SARIF counts them: UTF-16 code units, where ours count bytes.

/// The column of byte column `column` (from 1) in a line of text. What lies beyond the line counts as it is.
pub(crate) fn column(line: Option<&str>, column: u32) -> u32 {
    let Some(line) = line else { return column.max(1) };
    let from = (column.max(1) as usize) - 1;
    let mut units = 0;
    let mut bytes = 0;
    for letter in line.chars() {
        if bytes >= from {
            break;
        }
        bytes += letter.len_utf8();
        units += letter.len_utf16();
    }
    let beyond = from.saturating_sub(bytes);
    u32::try_from(units + beyond + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::column;

    #[test]
    fn letters_of_two_units_count_twice_and_of_two_bytes_once() {
        let line = "aü😀b";
        let columns: Vec<u32> =
            [1, 2, 4, 8, 9, 12].iter().map(|&c| column(Some(line), c)).collect();
        assert_eq!(columns, [1, 2, 3, 5, 6, 9]);
        assert_eq!(column(None, 0), 1);
    }
}
