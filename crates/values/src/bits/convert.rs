//! To and from Rust's own integers and bytes.

use super::Bits;

impl Bits {
    /// The unsigned value, if it fits.
    #[inline]
    pub fn to_u64(self) -> Option<u64> {
        u64::try_from(self.value).ok()
    }

    /// The low 64 bits, whatever is above them.
    #[inline]
    pub const fn low_u64(self) -> u64 {
        self.word()
    }

    /// The unsigned number, if it is one of `width` bits.
    #[inline]
    pub fn try_from_unsigned(value: u128, width: u8) -> Option<Bits> {
        let bits = Bits::new(value, width);
        (bits.value == value).then_some(bits)
    }

    /// The signed number, if it is one of `width` bits.
    #[inline]
    pub fn try_from_signed(value: i128, width: u8) -> Option<Bits> {
        let bits = Bits::from_signed(value, width);
        (bits.signed() == value).then_some(bits)
    }

    /// Whole bytes, lowest first; the width must be a multiple of 8.
    #[track_caller]
    pub fn to_le_bytes(self) -> Vec<u8> {
        assert!(self.width.is_multiple_of(8), "bytes should come from a whole number of them");
        self.value.to_le_bytes()[..usize::from(self.width / 8)].to_vec()
    }

    /// The number in 1 to 16 bytes, lowest first.
    #[track_caller]
    pub fn from_le_bytes(bytes: &[u8]) -> Bits {
        assert!(!bytes.is_empty() && bytes.len() <= 16, "there should be 1 to 16 bytes");
        let mut buffer = [0; 16];
        buffer[..bytes.len()].copy_from_slice(bytes);
        Bits { value: u128::from_le_bytes(buffer), width: 8 * bytes.len() as u8 }
    }
}
