/* What a library function writes may be longer than what it is given.
   command: check FILE --timeout 5
   never:   VERDICT: true
   truth:   six bytes are written to two
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
#include <stdio.h>
int f(void) { char b[2]; sprintf(b, "%d", 12345); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
