/* Inline assembly may call any function of the program.
   command: check FILE --property unreach-call --no-exec
   never: VERDICT: true
   judge: gcc -w -no-pie, and the program aborts */
extern void abort(void);
void reach_error(void) { abort(); }
int main(int argc, char **argv)
{
    if (argc != argc)
        reach_error();
    __asm__ volatile("call reach_error");
    return 0;
}
