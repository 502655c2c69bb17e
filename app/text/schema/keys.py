#!/usr/bin/python3
"""keys.py SCHEMA: prints REFERENCE.md. It contains tables of all keys, made from the descriptions
in the schema."""
import json
import re
import sys
import textwrap

WORDS = {"null": "null", "boolean": "true or false", "integer": "whole number", "number": "number",
         "string": "text", "object": "object", "array": "list"}


def anchor(title):
    """Returns the anchor that GitHub makes for a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def resolve(schema, node):
    """Returns the definition that a $ref names, with the description beside the $ref."""
    if "$ref" not in node:
        return node
    found = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return {**found, **{key: value for key, value in node.items() if key != "$ref"}}


def link(node):
    return f"[{node['title']}](#{anchor(node['title'])})"


def enumeration(values):
    return " \\| ".join("null" if value is None else f"`{value}`" for value in values)


def kind(schema, node):
    """Returns the possible values of a key, as a table cell."""
    node = resolve(schema, node)
    if "title" in node:
        return link(node)
    if "anyOf" in node:
        return " or ".join(kind(schema, choice) for choice in node["anyOf"])
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return enumeration(node["enum"])
    types = node["type"] if isinstance(node["type"], list) else [node["type"]]
    words = [WORDS[word] for word in types]
    if "array" in types and "items" in node:
        items = resolve(schema, node["items"])
        words[types.index("array")] = "list of " + (link(items) if "title" in items
                                                    else WORDS[items["type"]] + "s")
    return " or ".join(words)


def print_paragraph(text):
    print(textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False))


def print_object(schema, node):
    print(f"\n## {node['title']}\n")
    print_paragraph(node["description"])
    print()
    print("| key | value | meaning |\n| --- | --- | --- |")
    for key, value in node["properties"].items():
        meaning = resolve(schema, value)["description"].replace("|", "\\|")
        print(f"| `{key}` | {kind(schema, value)} | {meaning} |")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    print("<!-- generated: python3 keys.py imgtool.schema.json > REFERENCE.md -->")
    print("# Keys of imgtool's JSON documents\n")
    print_paragraph(schema["description"])
    print("\n[README.md](README.md) has the rules that all documents follow.")
    for node in schema["$defs"].values():
        if "title" in node:
            print_object(schema, node)


main()
