# Reads imgtool.h and prints a C program that prints the ABI: prototypes, values of enumerations, and offsets of
# struct members.

# Removes comments, preprocessor lines and text that the preprocessor would remove.
{
    line = $0
    if (continued || line ~ /^ *#/) {
        continued = line ~ /\\$/
        next
    }
    text = text " " line
}

function squeeze(part) {
    gsub(/[ \t]+/, " ", part)
    sub(/^ /, "", part)
    sub(/ $/, "", part)
    return part
}

function quoted(part) { return "    puts(\"" part "\");" }

# In "int32_t width, height" the names are the words that are not a type, without stars, arrays and arguments.
function print_members(struct, body,    declarations, count, i, names, many, j, name) {
    count = split(body, declarations, ";")
    for (i = 1; i <= count; i++) {
        many = split(squeeze(declarations[i]), names, ",")
        for (j = 1; j <= many; j++) {
            name = names[j]
            if (name ~ /\(\*/) { # a pointer to a function, whose arguments contain commas
                name = squeeze(declarations[i])
                sub(/^.*\(\*/, "", name)
                sub(/\).*$/, "", name)
                j = many
            }
            sub(/\[.*$/, "", name)
            name = squeeze(name)
            sub(/^.*[ *]/, "", name)
            if (name != "")
                printf "    MEMBER(%s, %s);\n", struct, name
        }
    }
}

function print_values(body,    values, count, i, name) {
    count = split(body, values, ",")
    for (i = 1; i <= count; i++) {
        name = squeeze(values[i])
        sub(/ *=.*$/, "", name)
        if (name != "")
            printf "    VALUE(%s);\n", name
    }
}

# Prints the statements for one declaration, which has one of these forms:
# "typedef struct imgtool_x { ... } imgtool_x", "typedef bool imgtool_f(...)", "IMGTOOL_API T imgtool_f(...)"
function print_declaration(declaration,    body, name) {
    body = declaration
    sub(/^[^{]*\{/, "", body)
    sub(/\}[^}]*$/, "", body)
    name = declaration
    sub(/^.*[ }]/, "", name)
    if (declaration ~ /^typedef struct .*\{/) {
        if (body ~ /^ *size_t size;/) # a size member allows more members later
            print quoted("struct " name ": begins with its size")
        else
            printf "    STRUCT(%s);\n", name
        print_members(name, body)
    } else if (declaration ~ /^typedef enum .*\{/) {
        print_values(body)
    } else if (declaration != "") {
        sub(/^IMGTOOL_API /, "", declaration)
        gsub(/ *\* */, " *", declaration)
        gsub(/\* \*/, "**", declaration)
        gsub(/\( /, "(", declaration)
        print quoted(declaration)
    }
}

END {
    print "#include <stddef.h>\n#include <stdio.h>\n\n#include \"imgtool.h\"\n"
    print "#define STRUCT(type) printf(\"struct %s: %zu bytes\\n\", #type, sizeof(type))"
    print "#define MEMBER(type, member) \\"
    print "    printf(\"    %s.%s: at %zu, %zu bytes\\n\", #type, #member, offsetof(type, member), sizeof(((type *)0)->member))"
    print "#define VALUE(name) printf(\"%s = %d\\n\", #name, (int)name)\n"
    print "int main(void)\n{"
    while (match(text, /\/\*([^*]|\*[^\/])*\*\//))
        text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
    sub(/^.*extern "C" \{/, "", text)
    depth = 0
    declaration = ""
    for (i = 1; i <= length(text); i++) {
        letter = substr(text, i, 1)
        if (letter == "{") depth++
        if (letter == "}") depth--
        if (depth < 0) break # the end of extern "C"
        if (letter == ";" && depth == 0) {
            print_declaration(squeeze(declaration))
            declaration = ""
        } else {
            declaration = declaration letter
        }
    }
    print "    return 0;\n}"
}
