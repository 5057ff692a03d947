/* One object is seen as int and as float.
   command: check FILE --timeout 20
   never:   assertion (\*a==1): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int*a,float*b){ if(!a||!b) return 0; *a=1; *b=2.0f; assert(*a==1);
 return 0; }
#ifdef TRUTH
int main(void){ int x; return f(&x,(float*)&x); }
#endif
