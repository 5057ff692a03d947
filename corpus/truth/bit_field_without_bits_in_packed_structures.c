/* `-fpack-struct=1` limits what a bit-field without bits aligns, `#pragma pack(1)` does not.
   command: check FILE --assertions-only --no-exec --timeout 10 -- -fpack-struct=1
   never:   assertion (sizeof(struct s) == 5): holds
   truth:   it has two bytes
   judge:   gcc -w -DTRUTH -fpack-struct=1, and the program aborts
*/
#include <assert.h>
struct s { char a; int : 0; char b; };
int f(void) { assert(sizeof(struct s) == 5); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
