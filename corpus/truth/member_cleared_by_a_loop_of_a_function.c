/* A function clears more than the member that it is given.
   command: check FILE --entries roots --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
struct person { char name[8]; int admin; };
static void clear(void *memory, int n) {
  unsigned char *p = memory;
  for (int i = 0; i < n; i++) p[i] = 0;
}
int f(void) {
  struct person h = {"x", 1};
  clear(h.name, 9);
  return h.admin;
}
