/* A function returns one that returns one.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int g;
static void inc(void){ assert(g==1); g++; }
typedef void (*v)(void); typedef v (*vv)(void);
static v one(void){ return inc; } static vv two(void){ return one; }
int main(void){ g=0; two()()(); return 0; }
