/* A verification task: inputs from nondeterministic calls, an error function that must not be called. */
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "task_unsafe.c", 4, "reach_error"); }
extern unsigned char __VERIFIER_nondet_uchar(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!(cond)) { reach_error(); abort(); } }

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned sum = 0;
    assume_abort_if_not(n <= 11);
    for (unsigned char i = 0; i < n; i++)
        sum += i;
    __VERIFIER_assert(sum < 55);
    return 0;
}
