/* A call stores to what is seen by another type.
   command: check FILE --timeout 20
   never:   assertion (\*a==1): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static void w(float*b){ *b=2; }
int f(int*a,float*b){ if(!a||!b) return 0; *a=1; w(b); assert(*a==1);
 return 0; }
#ifdef TRUTH
int main(void){ int x; return f(&x,(float*)&x); }
#endif
