/* A pragma packs a structure.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#pragma pack(push,1)
struct s { char c; int i; };
#pragma pack(pop)
int main(void){ assert(sizeof(struct s) == 8);
 return 0; }
