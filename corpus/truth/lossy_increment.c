/* An increment loses what does not fit.
   command: check FILE --lossy-conversion --timeout 10
   never:   VERDICT: true
   truth:   256 is stored as 0
   judge:   clang-19 -w -fsanitize=implicit-conversion -fsanitize-trap=all -DTRUTH, and the program aborts
*/
unsigned char f(unsigned char c) { c++; return c; }
#ifdef TRUTH
int main(void) { return f(255) == 1; }
#endif
