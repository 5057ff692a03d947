/* `#pragma pack` takes numbers as C writes them.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (sizeof(struct s) == 8): holds
   truth:   it has five bytes
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#pragma pack(1u)
struct s { char a; int b; };
int f(void) { assert(sizeof(struct s) == 8); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
