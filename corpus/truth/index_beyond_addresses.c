/* An index that wraps to the first element when it is counted in bytes.
   command: check FILE --timeout 20
   never:   out-of-bounds *: holds
   truth:   C11 6.5.6p8: no array has so many elements
*/
int f(int *p) { return p[1LL << 62]; }
