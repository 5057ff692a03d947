/* rand may return 0.
   command: check FILE --timeout 10
   never:   division-by-zero *: holds
   truth:   rand returns 0 once in 2^31 calls
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int inverse(void) { return 1000 / rand(); }
#ifdef TRUTH
int rand(void) { return 0; }
int main(void) { return inverse(); }
#endif
