#!/usr/bin/python3
"""check_json.py IMGTOOL REPOSITORY: runs every command that prints JSON on files of all kinds. Compares each document
with the schema, the schema with the rules in README.md beside it, and that page with the schema. Exit code 0: all are
right; 1: a fault was found; 77: python3-jsonschema is missing."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

IMGTOOL, REPOSITORY = sys.argv[1:]
SAMPLES = os.path.join(REPOSITORY, "samples")
HAS_BENCH = os.environ.get("IMGTOOL_BENCH", "1") == "1"  # true if imgtool-bench is in this build
HAS_MODEL = HAS_BENCH and os.environ.get("IMGTOOL_MODEL", "1") == "1"  # true if it also contains the model of a GPU
HERE = os.path.join(REPOSITORY, "app/text/schema")
ENVELOPE = ["imgtool", "schema", "command", "type"]
NEED_GPU = {"device"}  # names of objects that need a GPU

problems = []


def problem(text):
    problems.append(text)
    print("FAILED:", text)


# --- The schema ---------------------------------------------------------------------------------

with open(os.path.join(HERE, "imgtool.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)
DEFS = SCHEMA["$defs"]
DOCUMENTS = [choice["$ref"].rsplit("/", 1)[1] for choice in SCHEMA["oneOf"]]


def is_described(node):
    found = node
    if "$ref" in node:
        found = {**DEFS[node["$ref"].rsplit("/", 1)[1]], **node}
    return len(found.get("description", "")) > 3


def check_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for name, node in DEFS.items():
        if f'"#/$defs/{name}"' not in json.dumps(SCHEMA):
            problem(f"schema: {name} is not used")
        if "properties" not in node:
            continue
        keys = list(node["properties"])
        if node["required"] != keys or node["additionalProperties"] is not False:
            problem(f"schema: {name}: keys are not all required, or others are allowed")
        if name in DOCUMENTS and keys[:len(ENVELOPE)] != ENVELOPE:
            problem(f"schema: {name} does not begin with the envelope")
        for key in keys:
            if not is_described(node["properties"][key]):
                problem(f"schema: {name}.{key} is not described")


def check_page():
    made = subprocess.run(["/usr/bin/python3", os.path.join(HERE, "keys.py"),
                           os.path.join(HERE, "imgtool.schema.json")],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    with open(os.path.join(HERE, "REFERENCE.md"), encoding="utf-8") as page:
        if page.read() != made:
            problem("REFERENCE.md beside the schema is not what keys.py prints")


def check_printed_schema():
    printed = subprocess.run([IMGTOOL, "help", "--format", "json-schema"], check=True,
                             stdout=subprocess.PIPE).stdout
    if json.loads(printed) != SCHEMA:
        problem("imgtool help --format json-schema prints another schema")


# --- Documents ----------------------------------------------------------------------------------

seen = set()


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key comes twice: {keys}")
    return dict(pairs)


def no_constant(word):
    raise ValueError(f"{word} is not JSON")


def parse(text):
    return json.loads(text, object_pairs_hook=unique, parse_constant=no_constant)


def note_seen(node, value):
    """Adds the definitions that a valid value uses to `seen`."""
    for choice in node.get("anyOf", []):
        if value is not None:
            note_seen(choice, value)
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        seen.add(name)
        node = DEFS[name]
    if isinstance(value, dict):
        for key, inner in node.get("properties", {}).items():
            note_seen(inner, value[key])
    if isinstance(value, list) and "items" in node:
        for item in value:
            note_seen(node["items"], item)


def check_document(document, name, what):
    """Checks a document against the definition `name`. A check against the whole schema would only say that no
    alternative fits."""
    validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFS})
    errors = sorted(validator.iter_errors(document), key=lambda error: list(error.path))
    for error in errors[:5]:
        where = ".".join(str(step) for step in error.absolute_path)
        problem(f"{what}: {where}: {error.message[:300]}")
    if errors:
        return
    if list(document)[:len(ENVELOPE)] != ENVELOPE:
        problem(f"{what}: does not begin with the envelope")
    if name not in seen and not jsonschema.Draft202012Validator(SCHEMA).is_valid(document):
        problem(f"{what}: matches none of the documents, or several")
    note_seen({"$ref": f"#/$defs/{name}"}, document)


def run(arguments, code=0):
    done = subprocess.run([IMGTOOL, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != code:
        problem(f"{arguments}: exit code {done.returncode}, not {code}: {done.stderr[-300:]}")
    return done.stdout.decode("utf-8")


def document_of(name, arguments, code=0):
    what = " ".join(os.fsdecode(os.fsencode(word)) for word in arguments)
    document = parse(run(arguments, code))
    check_document(document, name, ascii(what))
    return document


def lines_of(text, names, what):
    """Checks each line of output as a document. `names` has the definition for each type."""
    documents = [parse(line) for line in text.splitlines()]
    for document in documents:
        check_document(document, names[document["type"]], what)
    return documents


def expect(value, wanted, what):
    if value != wanted:
        problem(f"{what}: {value!r}, not {wanted!r}")


# --- Commands -----------------------------------------------------------------------------------

# EXIF with orientation 1, a copyright, and a position in degrees, minutes and seconds.
PLACE = bytes.fromhex(
    "4d4d002a00000008000382980002000000080000003288250004000000010000003a01120003000000010001000000"
    "000000412e204e616d65000004000100020000000253000000000200050000000300000070000300020000000245"
    "000000000400050000000300000088000000000000002f00000001000000160000000100000bd10000006400000008"
    "0000000100000020000000010000000000000064")


def chunk(kind, data):
    """Returns a chunk of a PNG file."""
    crc = zlib.crc32(kind + data)
    return len(data).to_bytes(4, "big") + kind + data + crc.to_bytes(4, "big")


def make_inputs():
    """Makes pictures of every kind, and files with every kind of error."""
    os.mkdir("in")
    for name in os.listdir(SAMPLES):
        if name.endswith(".png"):
            shutil.copy(os.path.join(SAMPLES, name), "in")
    shutil.copy("in/gray-1.png", b"in/\xe9 \"\\\n\xc3\xa9.png")
    with open("in/rgb-8.png", "rb") as file, open("in/place.png", "wb") as out:
        head, rest = file.read(33), file.read()  # the signature and IHDR
        out.write(head + chunk(b"eXIf", PLACE) + rest)
    with open("in/empty.png", "wb"), open("in/text.png", "w", encoding="ascii") as text:
        text.write("not a picture")
    with open("in/rgb-8.png", "rb") as whole, open("in/cut.png", "wb") as cut:
        cut.write(whole.read()[:-60])
    os.mkdir("none")
    os.mkdir(b"none \xff")


NO_FILES = [b"none", b"none \xff", b"no*.png"]  # inputs that match no file
NO_FILES_ERRORS = [["none", None], ["none \ufffd", "6e6f6e6520ff"], ["no*.png", None]]


def expect_errors(errors, what):
    expect([[entry["file"], entry["file_hex"]] for entry in errors], NO_FILES_ERRORS, what)
    for entry in errors:
        expect([entry["status"], entry["error"]], ["failed", "io"], what)
        expect(entry["message"].startswith(entry["file"][:4]), True, what + ": the message names it")


def check_measurements():
    inputs = [b"in", b"missing.png", *NO_FILES]
    for options in [], ["--luma", "none"], ["--luma", "601", "--percentiles", "1,50,99.9"], \
            ["--skip-transparent"]:
        document_of("stats", ["stats", "--json", *options, *inputs], 1)
    document = document_of("stats", ["stats", "--json", "in/gray-16.png"])
    channels = document["files"][0]["channels"]
    expect(channels["luma"], channels["gray"], "luma of a gray picture")
    document = document_of("stats", ["stats", "--json", "missing.png"], 3)
    expect([document["files"][0]["status"], document["files"][0]["error"]], ["failed", "io"],
           "a missing file")
    expect([document["total"]["file_count"], document["total"]["pixels"]], [0, 0], "a total of none")
    document = document_of("histogram", ["histogram", "--json", "--bins", "2", *inputs], 1)
    expect_errors(document["errors"], "errors of histogram")
    expect(document_of("stats", ["stats", "--json", "in/gray-16.png"])["errors"], [], "no error")
    document_of("histogram", ["histogram", "--json", "--luma", "none", "in/gray-16.png",
                              "in/palette-4.png", "missing.png"], 1)
    names = {"error": "batch_stats_error", "file": "batch_stats_file",
             "total": "batch_stats_total"}
    lines = lines_of(run(["batch", "stats", "--json", *inputs], 1), names, "batch stats")
    whole = document_of("stats", ["stats", "--json", *inputs], 1)
    inner = [{key: line[key] for key in line if key not in ENVELOPE} for line in lines]
    expect(inner, whole["errors"] + whole["files"] + [whole["total"]], "batch stats and stats")
    expect_errors(whole["errors"], "errors of stats")
    expect([line["type"] for line in lines[-2:]], ["file", "total"], "the last lines")
    lines = lines_of(run(["batch", "stats", "--json", "none"], 3), names, "batch stats of none")
    expect([line["type"] for line in lines], ["error", "total"], "a total always comes")
    names["counts"] = "batch_stats_counts"
    parts = []
    for number in "12":
        lines = lines_of(run(["batch", "stats", "--json", "--shard", number + "/2", *inputs], 1), names, "a part")
        expect([line["type"] for line in lines[-2:]], ["counts", "total"], "the last lines of a part")
        parts.append(f"part{number}")
        with open(parts[-1], "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    lines = lines_of(run(["stats", "merge", "--json", *parts], 1), names, "stats merge")
    inner = [{key: line[key] for key in line if key not in ENVELOPE} for line in lines]
    expect(inner[-1], whole["total"], "the total of parts")
    expect(len(inner), len(whole["errors"] + whole["files"]) + 1, "lines of parts")


def check_info():
    files = sorted(os.path.join(b"in", name) for name in os.listdir(b"in"))
    document = document_of("info", ["info", "--json", *files, b"missing.png", *NO_FILES], 1)
    expect_errors(document["errors"], "errors of info")
    expect(len(document["files"]), len(files) + 1, "files of info")
    odd = [entry for entry in document["files"] if entry["file_hex"] is not None]
    expect([bytes.fromhex(entry["file_hex"]) for entry in odd], [b"in/\xe9 \"\\\n\xc3\xa9.png"],
           "the name that is not UTF-8")
    document_of("info", ["info", "--json", "missing.png"], 3)


def check_compare():
    first = os.path.join(SAMPLES, "landscape.png")
    run(["equalize", first, "other.png"])
    for options, code in ([], 5), (["--tolerance", "255"], 0):
        document_of("compare", ["compare", "--json", *options, first, "other.png"], code)
    document_of("compare", ["compare", "--json", "in/gray-1.png", "in/gray-1.png"])
    document_of("compare", ["compare", "--json", "in/rgba-16.png", "in/rgba-16.png"])


def check_reports():
    names = {"error": "batch_error", "file": "batch_file", "summary": "batch_summary"}
    for extra in [], ["--resume"]:
        run(["batch", "-q", "equalize", *extra, "in", "missing.png", *NO_FILES, "out", "--report",
             "r"], 1)
        with open("r", encoding="utf-8") as report:
            lines = lines_of(report.read(), names, "report")
        count = len(NO_FILES)
        errors, files, summary = lines[:count], lines[count:-1], lines[-1]
        expect_errors(errors, "errors of a report")
        expect(summary["type"], "summary", "the last line of a report")
        expect(summary["file_count"], len(files), "lines of a report")
        for status in "done", "failed", "skipped":
            expect(summary[status], sum(line["status"] == status for line in files), status)
        expect(summary["inputs_failed"], count, "inputs that give no file")
        expect(summary["skipped"] > 0, bool(extra), "what was done before is skipped")
    run(["batch", "-q", "equalize", *NO_FILES, "out2", "--report", "r"], 1)
    with open("r", encoding="utf-8") as report:
        lines = lines_of(report.read(), names, "report of nothing")
    expect_errors(lines[:-1], "errors of a report of nothing")
    expect([lines[-1]["type"], lines[-1]["file_count"], lines[-1]["inputs_failed"]],
           ["summary", 0, count], "a report of nothing")
    expect(os.path.exists("out2"), False, "a directory for nothing")


def check_bench():
    bench = ["bench", "--backend", "cpu", "--size", "19x7", "--time", "1"]
    old = run([*bench, "flip", "equalize", "--format", "rgb8,gray16", "--json"])
    with open("old.json", "w", encoding="utf-8") as file:
        file.write(old)
    check_document(parse(old), "bench", "bench")
    expect(run(["bench", "--load", "old.json", "--json"]), old, "a run that is loaded and printed")
    document_of("bench", [*bench, "flip", "rotate", "--format", "rgb8", "--json", "--compare",
                          "old.json"])
    document_of("bench", ["bench", "files", "--backend", "cpu", "in/rgb-8.png", "in/cut.png",
                          "--json"], 1)
    if HAS_MODEL:
        document_of("bench", ["bench", "lab", "square", "--small", "--json"])


def main():
    check_schema()
    check_page()
    check_printed_schema()
    work = tempfile.mkdtemp(prefix="imgtool-json.")
    os.chdir(work)
    try:
        make_inputs()
        check_measurements()
        check_info()
        check_compare()
        check_reports()
        if HAS_BENCH:
            check_bench()
        document_of("ops", ["ops", "--json"])
        document_of("devices", ["devices", "--json"])
    finally:
        os.chdir("/")
        shutil.rmtree(work)
    for name in set(DEFS) - seen - NEED_GPU - (set() if HAS_MODEL else {"counts"}) if HAS_BENCH else ():
        problem(f"{name} of the schema was never printed")
    print(f"{len(seen)} of {len(DEFS)} definitions were printed, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
