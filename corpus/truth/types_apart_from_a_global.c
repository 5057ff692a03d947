/* A parameter of another type points to a global.
   command: check FILE --timeout 20
   never:   assertion (g==1): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int g;
int f(float*b){ if(!b) return 0; g=1; *b=2; assert(g==1);
 return 0; }
#ifdef TRUTH
int main(void){ return f((float*)&g); }
#endif
