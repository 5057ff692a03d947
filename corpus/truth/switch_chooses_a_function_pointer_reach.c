/* Switch chooses a function pointer, reach_error in the callee: VERDICT: true (SV-COMP style).
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   reach_error is called for 2, -5
   judge:   gcc -w -DTRUTH, and the program aborts
*/
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
typedef int (*op)(int);
static int inc(int x) { return x < 1000 ? x + 1 : x; }
static int dec(int x) { if (x == -5) reach_error(); return x > -1000 ? x - 1 : x; }
static int run(op f, int x) { return f(x); }
int main(void) {
  op f = 0;
  switch (__VERIFIER_nondet_int()) { case 1: f = inc; break; case 2: f = dec; break; default: return 0; }
  return run(f, __VERIFIER_nondet_int());
}
#ifdef TRUTH
int __VERIFIER_nondet_int(void) { static int n; return n++ ? -5 : 2; }
#endif
