/* A compound assignment loses what does not fit.
   command: check FILE --lossy-conversion --timeout 10
   never:   VERDICT: true
   truth:   300 is stored as 44
   judge:   clang-19 -w -fsanitize=implicit-conversion -fsanitize-trap=all -DTRUTH, and the program aborts
*/
unsigned char f(unsigned char c) { if (c > 200) return c; c += 100; return c; }
#ifdef TRUTH
int main(void) { return f(200) == 1; }
#endif
