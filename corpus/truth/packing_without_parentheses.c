/* `#pragma pack` without parentheses is ignored.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (sizeof(struct s) == 5): holds
   truth:   it has eight bytes
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#pragma pack 1
struct s { char a; int b; };
int f(void) { assert(sizeof(struct s) == 5); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
