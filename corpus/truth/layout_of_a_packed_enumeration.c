/* An enumeration of one byte.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
enum __attribute__((packed)) e { A, B };
int main(void){ assert(sizeof(enum e) == 4);
 return 0; }
