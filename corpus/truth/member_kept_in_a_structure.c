/* A pointer into a member is kept in another structure, and used behind the end of the member.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
struct person { char name[8]; int admin; };
struct view { char *text; int length; };
int f(int i) {
  struct person h = {"", 0};
  struct view v = {h.name, 8};
  if (i < 0 || i > 11) return 0;
  v.text[i] = 1;
  return h.admin;
}
