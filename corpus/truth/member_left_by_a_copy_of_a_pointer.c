/* A second pointer is made of one into a member, and used behind its end.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
struct row { short a[4], b[4]; };
static struct row g;
int f(int n) {
  short *p = g.a, *q;
  if (n < 0 || n > 2) return 0;
  q = p + n;
  return q[2];
}
