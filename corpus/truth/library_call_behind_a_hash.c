/* A call of the library that no run comes to is not proved to be fine.
   command: check FILE --timeout 5 --function f
   never:   VERDICT: true
   truth:   1440528649 leads there
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
#include <stdio.h>
int f(unsigned n) { char b[8]; int k = 7 / (n | 1); if (n * 2654435761u == 12345u) sprintf(b, "%u", 123456789u); return k; }
#ifdef TRUTH
int main(void) { return f(1440528649u); }
#endif
