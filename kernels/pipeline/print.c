#include "kernels/pipeline/pipeline.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"

size_t img_pipeline_print_value(const char *value, char *text, size_t size)
{
    const char *quote = strchr(value, '\'') == NULL ? "'" : "\"";
    if (strpbrk(value, " |'\"") == NULL)
        return (size_t)snprintf(text, size, "%s", value);
    if (strchr(value, quote[0]) == NULL)
        return (size_t)snprintf(text, size, "%s%s%s", quote, value, quote);
    size_t used = 0;
    /* The value has both kinds of quotes. Each iteration writes a part that has at most one kind of
     * quote, enclosed in quotes of the other kind. */
    while (*value != '\0' && used < size) {
        int length = (int)strcspn(value, value[0] == '\'' ? "\"" : "'");
        quote = value[0] == '\'' ? "\"" : "'";
        used += (size_t)snprintf(text + used, size - used, "%s%.*s%s", quote, length, value, quote);
        value += length;
    }
    return used;
}

void img_pipeline_print(const ImgStep *steps, size_t count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " | " : "",
                                 steps[i].op->name);
        for (const ImgParam *param = steps[i].op->params; param->name != NULL && used < size;
             param++) {
            char value[IMG_PARAM_TEXT];
            if (param->is_detail && img_param_is_default(param, &steps[i].params))
                continue;
            img_params_print(param, &steps[i].params, value, sizeof value);
            /* Skips a parameter with an empty value, because "name=" could not be parsed. */
            if (value[0] == '\0')
                continue;
            used += (size_t)snprintf(text + used, size - used, " %s=", param->name);
            if (used < size)
                used += img_pipeline_print_value(value, text + used, size - used);
        }
    }
}
