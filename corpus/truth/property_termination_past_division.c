/* A loop that never ends stands behind a division by zero that a handler would survive.
   command: check FILE --property termination --timeout 20
   never:   VERDICT: true
   truth:   the run does not end normally where x is 0
*/
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 1 / x;
  while (x == 0) y++;
  return y;
}
