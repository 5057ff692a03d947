/* strcpy is given two parts of one array that overlap.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 7.24.2.3p2: undefined; the address sanitizer says strcpy-param-overlap
   judge:   gcc -w -fsanitize=address -fno-builtin -DTRUTH, and the program aborts
*/
#include <string.h>
int f(void) { char b[8] = "abcdef"; strcpy(b, b + 1); return b[0]; }
#ifdef TRUTH
int main(void) { return f() == 77; }
#endif
