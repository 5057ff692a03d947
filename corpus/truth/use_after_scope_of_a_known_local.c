/* The pointer is known to lead to one variable, and the variable is gone.
   command: check FILE --no-exec
   never: VERDICT: true
   judge: gcc -w -fsanitize=address -fno-sanitize-recover, and the program aborts */
int main(void)
{
    int *p;
    {
        int y[2];
        p = y;
    }
    *p = 4;
    return 0;
}
