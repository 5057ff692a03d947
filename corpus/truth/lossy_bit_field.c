/* A bit-field loses what does not fit.
   command: check FILE --lossy-conversion --timeout 10
   never:   VERDICT: true
   truth:   9 is stored as 1
   judge:   clang-19 -w -fsanitize=implicit-bitfield-conversion -fsanitize-trap=all -DTRUTH, and the program aborts
*/
struct s { unsigned low : 3, high : 5; };
unsigned f(unsigned x) { struct s s = {0, 0}; if (x > 9) return 0; s.low = x; return s.low; }
#ifdef TRUTH
int main(void) { return f(9) == 77; }
#endif
