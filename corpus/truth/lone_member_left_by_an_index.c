/* A pointer to a member that is no array is used as if the next member were the next element.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p7, p8: it behaves like a pointer to the first element of an array of length one
*/
struct pair { int a; int b; };
int f(void) {
  struct pair v = {1, 2};
  int *p = &v.a;
  return p[1];
}
