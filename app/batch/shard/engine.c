/* --shard auto: reads the variables by which schedulers number the processes that they start.
 *
 *   Slurm array        SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP, _COUNT; arrays may start anywhere
 *   Slurm step (srun)  SLURM_PROCID of SLURM_STEP_NUM_TASKS; only if SLURM_STEP_ID is set, since a
 *                      batch script has SLURM_PROCID, too, but is a single process
 *   Open MPI           OMPI_COMM_WORLD_RANK of OMPI_COMM_WORLD_SIZE; the Slurm step is ignored,
 *                      because it is that of the mpirun daemons, one per node
 *   PMI (MPICH), PMIx  PMI_RANK of PMI_SIZE, PMIX_RANK
 *   Kubernetes, AWS    JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX; the number of parts is
 *                      that of --shards N
 *
 * If a step or an MPI job runs inside a Slurm array, both count: part = index x size + rank. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/shard/shard.h"

/* A part of the batch, as one scheduler numbers it. */
typedef struct Part {
    /* Environment variable that contains the number of the part; NULL: not set. */
    const char *name;
    /* Environment variable that contains the number of parts; NULL: unknown. */
    const char *count_name;
    /* `value` is the value of the variable `name`. `index` is the number of the part, from 0: an
     * array's start is subtracted, and the difference is divided by the array's step. */
    uint64_t value, index, count;
} Part;

/* Returns false if the variable is missing or empty. */
static bool is_set(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0';
}

/* Reads an environment variable as a number. Fails with IMG_E_USAGE if it is not a number or has
 * more than 10 digits. */
static ImgStatus read_number(const char *name, uint64_t *number, ImgError *err)
{
    const char *text = getenv(name);
    if (text == NULL)
        text = "";
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 10 || text[digits] != '\0')
        return img_fail(err, IMG_E_USAGE, "--shard auto: %s='%s' is not a number; use --shard I/N",
                        name, text);
    *number = strtoull(text, NULL, 10);
    return IMG_OK;
}

static ImgStatus read_part(const char *name, const char *count_name, Part *part, ImgError *err)
{
    *part = (Part){.name = NULL};
    if (!is_set(name))
        return IMG_OK;
    ImgStatus status = read_number(name, &part->value, err);
    if (status == IMG_OK && count_name != NULL)
        status = read_number(count_name, &part->count, err);
    part->name = name;
    part->count_name = count_name;
    part->index = part->value;
    return status;
}

/* Reads the task of a Slurm array, which starts at MIN and counts in steps of STEP. */
static ImgStatus read_array(Part *part, ImgError *err)
{
    uint64_t first, last, step;
    ImgStatus status = read_part("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", part, err);
    if (status != IMG_OK || part->name == NULL)
        return status;
    if ((status = read_number("SLURM_ARRAY_TASK_MIN", &first, err)) != IMG_OK ||
        (status = read_number("SLURM_ARRAY_TASK_MAX", &last, err)) != IMG_OK ||
        (status = read_number("SLURM_ARRAY_TASK_STEP", &step, err)) != IMG_OK)
        return status;
    if (step == 0 || last < first || (last - first) / step + 1 != part->count)
        return img_fail(err, IMG_E_USAGE,
                        "--shard auto: SLURM_ARRAY_TASK_COUNT=%" PRIu64
                        " contradicts an array from SLURM_ARRAY_TASK_MIN=%" PRIu64
                        " to SLURM_ARRAY_TASK_MAX=%" PRIu64 " by SLURM_ARRAY_TASK_STEP=%" PRIu64
                        "; use a range, as --array=0-6, or --shard I/N",
                        part->count, first, last, step);
    if (part->value < first || part->value > last || (part->value - first) % step != 0)
        return img_fail(err, IMG_E_USAGE,
                        "--shard auto: SLURM_ARRAY_TASK_ID=%" PRIu64
                        " contradicts an array from SLURM_ARRAY_TASK_MIN=%" PRIu64
                        " to SLURM_ARRAY_TASK_MAX=%" PRIu64 " by SLURM_ARRAY_TASK_STEP=%" PRIu64,
                        part->value, first, last, step);
    part->index = (part->value - first) / step;
    return IMG_OK;
}

static ImgStatus refuse_both(const Part *a, const Part *b, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "--shard auto: %s=%" PRIu64 " contradicts %s=%" PRIu64
                    "; say which part it is with --shard I/N",
                    a->name, a->value, b->name, b->value);
}

/* Combines the parts that two sources give. If `part` is unset, it becomes `other`; if both are
 * set, they must agree. Fails with IMG_E_USAGE if they contradict each other. */
static ImgStatus agree(Part *part, const Part *other, ImgError *err)
{
    if (other->name == NULL)
        return IMG_OK;
    if (part->name == NULL) {
        *part = *other;
        return IMG_OK;
    }
    if (part->index != other->index)
        return refuse_both(part, other, err);
    if (part->count_name == NULL) {
        part->count = other->count;
        part->count_name = other->count_name;
    } else if (other->count_name != NULL && part->count != other->count) {
        return img_fail(err, IMG_E_USAGE,
                        "--shard auto: %s=%" PRIu64 " contradicts %s=%" PRIu64
                        "; say how many there are with --shard I/N",
                        part->count_name, part->count, other->count_name, other->count);
    }
    return IMG_OK;
}

/* Reads the rank in a Slurm step or an MPI job. rank->name stays NULL if there is none. */
static ImgStatus read_rank(Part *rank, ImgError *err)
{
    static const struct {
        const char *name, *count_name;
    } variables[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                     {"PMIX_RANK", NULL},
                     {"PMI_RANK", "PMI_SIZE"},
                     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    enum { STEP = sizeof variables / sizeof *variables - 1 };
    *rank = (Part){.name = NULL};
    for (size_t i = 0; i <= STEP; i++) {
        Part part;
        if (i == STEP && (!is_set("SLURM_STEP_ID") || is_set("OMPI_COMM_WORLD_RANK")))
            break;
        ImgStatus status = read_part(variables[i].name, variables[i].count_name, &part, err);
        if (status == IMG_OK)
            status = agree(rank, &part, err);
        if (status != IMG_OK)
            return status;
    }
    return IMG_OK;
}

/* Reads the task of a Slurm array or of an indexed job. task->name stays NULL if there is none. */
static ImgStatus read_task(Part *task, ImgError *err)
{
    Part kubernetes, aws;
    ImgStatus status = read_array(task, err);
    if (status == IMG_OK)
        status = read_part("JOB_COMPLETION_INDEX", NULL, &kubernetes, err);
    if (status == IMG_OK)
        status = read_part("AWS_BATCH_JOB_ARRAY_INDEX", NULL, &aws, err);
    if (status == IMG_OK)
        /* Both variables can be set, because AWS Batch also runs jobs on Kubernetes. */
        status = agree(&kubernetes, &aws, err);
    if (status == IMG_OK && task->name != NULL && kubernetes.name != NULL)
        status = refuse_both(task, &kubernetes, err);
    if (status == IMG_OK && task->name == NULL)
        *task = kubernetes;
    return status;
}

static ImgStatus refuse_count(const Part *task, const Part *rank, uint32_t shards, ImgError *err)
{
    if (task->name != NULL && rank->name != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "--shard auto: %s=%" PRIu64 " times %s=%" PRIu64
                        " contradicts --shards %" PRIu32 "; leave out --shards",
                        task->count_name, task->count, rank->count_name, rank->count, shards);
    const Part *part = task->name != NULL ? task : rank;
    return img_fail(err, IMG_E_USAGE,
                    "--shard auto: %s=%" PRIu64 " contradicts --shards %" PRIu32
                    "; leave out --shards",
                    part->count_name, part->count, shards);
}

/* If the variables that `part` was read from do not include the number of parts, sets part->count
 * from `shards` (--shards). Fails if that is necessary, but `other`, the part from another source,
 * is set, because N then could be the number of either. */
static ImgStatus fill_count(Part *part, const Part *other, uint32_t shards, ImgError *err)
{
    if (part->name == NULL || part->count_name != NULL)
        return IMG_OK;
    if (other->name != NULL)
        return refuse_both(part, other, err);
    if (shards == 0)
        return img_fail(err, IMG_E_USAGE,
                        "--shard auto: %s=%" PRIu64
                        " does not say how many parts there are; add --shards N",
                        part->name, part->value);
    part->count = shards;
    part->count_name = "--shards";
    return IMG_OK;
}

static ImgStatus check_range(const Part *part, ImgError *err)
{
    return part->name == NULL || part->index < part->count
               ? IMG_OK
               : img_fail(err, IMG_E_USAGE,
                          "--shard auto: %s=%" PRIu64 " contradicts %s%s%" PRIu64
                          ": numbers start at 0",
                          part->name, part->value, part->count_name,
                          part->count_name[0] == '-' ? " " : "=", part->count);
}

static ImgStatus combine(const Part *task, const Part *rank, uint32_t shards, Shard *shard,
                         ImgError *err)
{
    uint64_t tasks = task->name != NULL ? task->count : 1;
    uint64_t ranks = rank->name != NULL ? rank->count : 1;
    if (shards > 0 && tasks * ranks != shards)
        return refuse_count(task, rank, shards, err);
    if (tasks > SHARDS_MAX || ranks > SHARDS_MAX || tasks * ranks > SHARDS_MAX)
        return img_fail(err, IMG_E_USAGE, "--shard auto: there are more than %d parts", SHARDS_MAX);
    *shard = (Shard){(uint32_t)((task->name != NULL ? task->index * ranks : 0) +
                                (rank->name != NULL ? rank->index : 0)),
                     (uint32_t)(tasks * ranks)};
    return IMG_OK;
}

ImgStatus engine_find(uint32_t shards, Shard *shard, ImgError *err)
{
    Part task, rank;
    ImgStatus status = read_task(&task, err);
    if (status == IMG_OK)
        status = read_rank(&rank, err);
    if (status != IMG_OK)
        return status;
    if (task.name == NULL && rank.name == NULL)
        return img_fail(
            err, IMG_E_USAGE,
            "--shard auto: no engine started this process: none of SLURM_ARRAY_TASK_ID, "
            "SLURM_STEP_ID, OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, JOB_COMPLETION_INDEX and "
            "AWS_BATCH_JOB_ARRAY_INDEX is set; name the part with --shard I/N");
    if ((status = fill_count(&task, &rank, shards, err)) != IMG_OK ||
        (status = fill_count(&rank, &task, shards, err)) != IMG_OK ||
        (status = check_range(&task, err)) != IMG_OK ||
        (status = check_range(&rank, err)) != IMG_OK)
        return status;
    return combine(&task, &rank, shards, shard, err);
}
