/* rand gives every side of a die.
   command: gen FILE --no-exec --timeout 10
   never:   dice: 2 goals: 1 covered
   truth:   it is true for every sixth number or so
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int dice(void) { if (rand() % 6 == 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { while (!dice()) { } abort(); }
#endif
