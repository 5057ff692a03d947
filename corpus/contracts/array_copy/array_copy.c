/* Util.arrayCopyNonAtomic of the Java Card API (QSIC 2006, Fig. 4), and a twin that copies one element too many. */

short array_copy(const signed char *restrict src, short src_off, signed char *restrict dest, short dest_off, short length) {
    for (short i = dest_off; i < dest_off + length; i++) dest[i] = src[src_off + i - dest_off];
    return dest_off + length;
}

short array_copy_1(const signed char *restrict src, short src_off, signed char *restrict dest, short dest_off, short length) {
    for (short i = dest_off; i <= dest_off + length; i++) dest[i] = src[src_off + i - dest_off];
    return dest_off + length;
}
