/* A function that returns a number is called as one that returns nothing.
   command: check FILE --timeout 10
   never:   bad-call *: holds
   truth:   C11 6.3.2.3p8: undefined
   judge:   clang-19 -w -fsanitize=function -fno-sanitize-recover=all -DTRUTH, and the program aborts
*/
int f(char a) { return a + 1; }
void g(void) { void (*p)(char) = (void (*)(char))f; p('x'); }
#ifdef TRUTH
int main(void) { g(); return 0; }
#endif
