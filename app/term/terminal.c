#include "app/term/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/text/text.h"

enum { WIDTH_MIN = 20, WIDTH_MAX = 300 };

int terminal_columns(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int terminal_width(void)
{
    long width = terminal_columns(STDOUT_FILENO);
    const char *columns = getenv("COLUMNS");
    if (width <= 0 && columns != NULL)
        width = strtol(columns, NULL, 10);
    if (width <= 0)
        width = TEXT_WIDTH;
    if (width < WIDTH_MIN)
        return WIDTH_MIN;
    return width > WIDTH_MAX ? WIDTH_MAX : (int)width;
}

/* Reads the character set from a temporary locale, because the locale of the program is always
 * "C". */
bool terminal_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}
