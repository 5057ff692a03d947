/* An element of an array that is smaller than its union is stored.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x.number == 97): holds
   truth:   C11 6.2.6.1p7: the bytes behind the array take unspecified values
*/
#include <assert.h>
union u { char name[2]; long number; };
int f(void) { union u x; x.number = 0; x.name[0] = 'a'; assert(x.number == 97); return 0; }
