/* Flags that change the ABI are passed to gcc but ignored: -funsigned-char.
   command: check FILE --assertions-only --timeout 20 -- -funsigned-char
   never:   assertion (c < 128): holds
   truth:   assertion fails for c = 200. gen: `c > 127 is true: infeasible`. -fshort-enums and -fpack-struct are ignored in the same way (sizeof stays 4 and 8)
   judge:   gcc -w -DTRUTH -funsigned-char, and the program aborts
*/
#include <assert.h>
int f(char c) { assert(c < 128); return 0; }
int g(char c) { assert(c >= 0); return 0; }
#ifdef TRUTH
int main(void) { for (int i = 0; i < 256; i++) g(i); f(200); return 0; }
#endif
