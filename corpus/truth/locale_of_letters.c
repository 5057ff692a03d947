/* Letters depend on the locale.
   command: gen FILE --no-exec --timeout 10
   never:   toupper(c) != c is true: infeasible
   truth:   C11 7.4p2: the behavior is affected by the locale, and callers may set one that has more letters
*/
#include <ctype.h>
int f(int c) { if (c < 224 || c > 250) return 0; if (toupper(c) != c) return 1; return 0; }
