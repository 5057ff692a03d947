/* One object is seen as two structures.
   command: check FILE --timeout 20
   never:   assertion (a->x==1): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct a { int x; int y; }; struct b { int x; int z; };
int f(struct a*a,struct b*b){ if(!a||!b) return 0; a->x=1; b->x=2; assert(a->x==1);
 return 0; }
#ifdef TRUTH
int main(void){ struct a v; return f(&v,(struct b*)&v); }
#endif
