#include "app/text/csv.h"

#include <string.h>
#include <unistd.h>

#include "app/text/text.h"

void csv_text(FILE *out, const char *text)
{
    if (isatty(fileno(out))) {
        text_clean(out, text);
        return;
    }
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}
