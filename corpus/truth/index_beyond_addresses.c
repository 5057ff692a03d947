/* An index that wraps to the first element when it is counted in bytes.
   command: check FILE --timeout 20
   never:   out-of-bounds *: holds
   truth:   C11 6.5.6p8: no array has so many elements
   judge:   clang-19 -w -fsanitize=undefined -fno-sanitize-recover=all -DTRUTH, and the program aborts
*/
int f(int *p) { return p[1LL << 62]; }
#ifdef TRUTH
int main(void) { int a[4] = {0}; return f(a); }
#endif
