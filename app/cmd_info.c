/* `imgtool info FILE...`: goes on past a bad file, and tells by the exit code. */
#include "app/args.h"
#include "app/exit_code.h"
#include "app/info.h"
#include "app/report.h"

int cmd_info(const Args *args)
{
    bool json = args->settings.json != 0, json_failed = false, any = false;
    cJSON *array = json ? cJSON_CreateArray() : NULL;
    int code = CLI_OK;
    for (size_t i = 0; i < args->operand_count; i++) {
        ImgError err = {IMG_OK, ""};
        Info info;
        if (info_read(args->operands[i], &info, &err) != IMG_OK) {
            int failure = report_failure(&err);
            code = args->operand_count > 1 ? CLI_SOME_FAILED : failure;
        } else if (json) {
            info_add_json(array, &info, &json_failed);
        } else {
            if (any)
                putchar('\n');
            info_print(stdout, &info);
            any = true;
        }
        info_free(&info);
    }
    ImgError err = {IMG_OK, ""};
    if (json && json_print(stdout, array, json_failed, &err) != IMG_OK)
        code = report_failure(&err);
    return code;
}
