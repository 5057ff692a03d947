/* A function returns a pointer into a member, and its caller goes on behind the end of the member.
   command: check FILE --entries roots --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
struct person { char name[8]; int admin; };
static char *name_of(struct person *p) { return p->name; }
int f(int i) {
  struct person h = {"", 0};
  if (i < 0 || i > 11) return 0;
  name_of(&h)[i] = 1;
  return h.admin;
}
