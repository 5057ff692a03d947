/* A list of functions.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct n { struct n*next; void(*f)(int); };
static void bad(int x){ assert(x!=2); }
static void good(int x){}
static struct n c={0,bad}, b={&c,good}, a={&b,good};
int main(void){ int i=0; for(struct n*p=&a;p;p=p->next) p->f(i++); return 0; }
