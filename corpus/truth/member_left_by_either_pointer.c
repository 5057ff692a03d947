/* One pointer, members of two lengths.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: the shorter member has no element 5
*/
struct pair { char a[4], b[8]; };
int f(int c) {
  struct pair x = {{0}, {0}};
  char *p;
  if (c) p = x.a; else p = x.b;
  return p[5];
}
