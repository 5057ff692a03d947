/* abs of the smallest number overflows.
   command: check FILE --property no-overflow --timeout 10
   never:   VERDICT: true
   truth:   gcc's sanitizer traps
   judge:   gcc -w -fsanitize=undefined -fno-sanitize-recover=all, and the program aborts
*/
#include <limits.h>
#include <stdlib.h>
int main(void) { volatile int x = INT_MIN; return abs(x) == 1; }
