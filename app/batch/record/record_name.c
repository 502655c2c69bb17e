#include "app/batch/record/record_name.h"

#include <string.h>

const char record_name[] = ".imgtool-batch";

/* "3-of-8" */
static bool is_part(const char *text)
{
    static const char digits[] = "0123456789", between[] = "-of-";
    size_t number = strspn(text, digits);
    if (number == 0 || strncmp(text + number, between, strlen(between)) != 0)
        return false;
    text += number + strlen(between);
    size_t count = strspn(text, digits);
    return count > 0 && text[count] == '\0';
}

bool record_is_name(const char *name)
{
    size_t length = strlen(record_name);
    return strncmp(name, record_name, length) == 0 &&
           (name[length] == '\0' || (name[length] == '.' && is_part(name + length + 1)));
}
