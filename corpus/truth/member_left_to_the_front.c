/* A pointer into the second member is moved before it.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
struct pair { char a[4], b[4]; };
int f(void) {
  struct pair x = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  char *p = x.b;
  --p;
  return *p;
}
