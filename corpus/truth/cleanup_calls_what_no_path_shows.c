/* A handler for cleaning up is called by an attribute: no instruction names it.
   command: check FILE --property unreach-call --no-exec
   never: VERDICT: true
   judge: gcc -w, and the program aborts */
extern void abort(void);
void reach_error(void) { abort(); }
static void handler(int *p) { if (*p == 9) reach_error(); }
int main(int argc, char **argv)
{
    if (argc != argc)
        reach_error();
    __attribute__((cleanup(handler))) int y = 9;
    return 0;
}
