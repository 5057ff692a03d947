/* Text that is printed has to end.
   command: check FILE --timeout 5
   never:   VERDICT: true
   truth:   what lies behind the array is read
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
#include <stdio.h>
int f(void) { char b[4] = "abcd"; puts(b); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
