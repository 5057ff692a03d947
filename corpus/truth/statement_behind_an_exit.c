/* A statement behind a call that ends the program is not reached by coming to the call.
   command: gen FILE --no-exec --criterion statement --timeout 5 --function f
   never:   3 covered
   truth:   the program ends before
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static void quit(void) { exit(1); }
int f(int a) { quit(); a++; return a; }
#ifdef TRUTH
int main(void) { f(1); return 0; }
#endif
