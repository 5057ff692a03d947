/* The end of the process: handlers in reverse order, the status of exit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <locale.h>

static void third(void) { puts("third"); }
static void second(void) { puts("second"); atexit(third); }
static void first(void) { puts("first"); }

int main(int argc, char **argv)
{
    atexit(first);
    atexit(second);
    printf("%d %s|%s|%d\n", argc, argv[1], argv[2], argv[argc] == NULL);
    printf("%d\n", getenv("GLASSBOX_NO_SUCH_VARIABLE") == NULL);
    printf("%s\n", setlocale(LC_ALL, "C"));
    time_t moment = 951782400 + 3723;
    struct tm *parts = gmtime(&moment);
    char text[200];
    size_t length = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %y %e %I %p %D %T %u %w %% %F %R", parts);
    printf("%zu %s\n%s", length, text, asctime(parts));
    printf("%d %d %.1f\n", parts->tm_yday, parts->tm_wday, difftime(moment + 5, moment));
    exit(300 + 7);
}
