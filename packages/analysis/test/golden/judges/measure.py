"""Asks one program for its numbers of all functions in a folder, and prints them as JSON: measure.py <program> <folder or --version>."""
import ast
import json
import pathlib
import sys
from importlib.metadata import version


def with_radon(source, _path):
    from radon.visitors import ComplexityVisitor

    found = []
    open_blocks = list(ComplexityVisitor.from_code(source).blocks)
    while open_blocks:
        block = open_blocks.pop()
        if hasattr(block, "methods"):
            open_blocks.extend(inner for inner in block.inner_classes)
            if block.inner_classes:
                open_blocks.extend(method for each in block.inner_classes for method in each.methods)
            continue
        open_blocks.extend(block.closures)
        found.append({"line": block.lineno, "name": block.name, "cyclomatic": block.complexity})
    return found


def with_cognitive_complexity(source, _path):
    from cognitive_complexity.api import get_cognitive_complexity

    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    return [
        {"line": node.lineno, "name": node.name, "cognitive": get_cognitive_complexity(node)} for node in functions
    ]


def with_complexipy(source, path):
    from complexipy import file_complexity

    return [
        {"line": each.line_start, "name": each.name.split("::")[-1], "cognitive": each.complexity}
        for each in file_complexity(str(path)).functions
    ]


def main(program, place):
    if place == "--version":
        return {"version": version(program)}
    measure = globals()["with_" + program]
    found = []
    for path in sorted(pathlib.Path(place).glob("*.py")):
        source = path.read_text("utf8")
        found.extend({"file": path.name, **each} for each in measure(source, path))
    return found


print(json.dumps(main(sys.argv[1], sys.argv[2])))
