/* Container_of: a pointer loaded at a negative offset gets the pointee type of the wrong member.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (q->w == 1): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct in { struct in *next; int x; };
struct out { struct out *sibling; int w; struct in node; };
int f(struct in *p, struct out *q) {
  if (!p || !q) return 0;
  struct out *o = (struct out *)((char *)p - __builtin_offsetof(struct out, node));
  struct out *s = o->sibling;
  if (!s) return 0;
  q->w = 1;
  s->w = 2;
  assert(q->w == 1);
  return 0;
}
#ifdef TRUTH
int main(void) { struct out a = {0}, b = {0}; a.sibling = &b; return f(&a.node, &b); }
#endif
