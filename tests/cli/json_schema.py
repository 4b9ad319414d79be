# SPDX-License-Identifier: MIT
"""Checks of the JSON Schema that `withy keys` writes: it has the form of one, accepts scenarios and refuses what is wrong.

    json_schema.py SCHEMA SCENARIO...

Knows as much of JSON Schema as withy uses, and refuses a schema that uses more. Scenarios are read where there is a YAML
reader for Python."""
import json
import sys

KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "type", "anyOf", "allOf", "if", "then", "const", "required",
            "properties", "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum"}
TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}


def is_type(value, name):
    if name in ("number", "integer"):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and (name == "number" or value == int(value))
    return isinstance(value, TYPES[name])


def names_of(schema):
    """All keywords of a schema and those within it."""
    if not isinstance(schema, dict):
        return
    yield from schema
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            yield from names_of(inner)
    for key in ("anyOf", "allOf"):
        for inner in schema.get(key, []):
            yield from names_of(inner)
    for key in ("items", "additionalProperties", "if", "then"):
        yield from names_of(schema.get(key))


def errors(value, schema, root, path=""):
    """What is wrong with a value, as a list of lines."""
    if schema is False:
        return [f"{path}: not possible here"]
    if schema is True:
        return []
    found = []
    if "$ref" in schema:
        found += errors(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, path)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        found.append(f"{path}: {value!r} is none of {types}")
    if "const" in schema and (value != schema["const"] or isinstance(value, bool) != isinstance(schema["const"], bool)):
        found.append(f"{path}: {value!r} is not {schema['const']!r}")
    if "anyOf" in schema and all(errors(value, inner, root, path) for inner in schema["anyOf"]):
        found.append(f"{path}: {value!r} is none of what is possible")
    for inner in schema.get("allOf", []):
        found += errors(value, inner, root, path)
    if "if" in schema and not errors(value, schema["if"], root, path):
        found += errors(value, schema["then"], root, path)
    if is_type(value, "number"):
        found += errors_of_number(value, schema, path)
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{path}: {len(value)} entries")
        for i, entry in enumerate(value):
            found += errors(entry, schema.get("items", True), root, f"{path}[{i}]")
    if isinstance(value, dict):
        found += errors_of_object(value, schema, root, path)
    return found


def errors_of_number(value, schema, path):
    too_small = value < schema.get("minimum", value) or value <= schema.get("exclusiveMinimum", value - 1)
    return [f"{path}: {value} is out of range"] if too_small or value > schema.get("maximum", value) else []


def errors_of_object(value, schema, root, path):
    found = [f"{path}: {key} is missing" for key in schema.get("required", []) if key not in value]
    for key, inner in value.items():
        known = schema.get("properties", {})
        found += errors(inner, known[key] if key in known else schema.get("additionalProperties", True), root, f"{path}.{key}")
    return found


ROD = {"length": 1, "section": {"shape": "circle", "radius": "r*(1 - s)"},
       "material": {"density": 1000, "young": "1e6", "poisson": 0.3}}


def scenario(**keys):
    return {"withy": 1, "time": {"end": 1}, "rods": [ROD], **keys}


def rod(**keys):
    return scenario(rods=[{**ROD, **keys}])


ACCEPTED = [scenario(), scenario(loads=None), scenario(solver={"tolerance": {"relative": 1e-8}}),
            scenario(solver={"continuation": "load stepping", "transport": True}), rod(segments=[0.5, 0.5]),
            rod(ends={"start": "clamped", "end": {"position": ["t", "free", "held"], "rotation": "held"}}),
            rod(length="500 mm", segments=["20 cm", "0.3 m"], shape={"points": "hose.csv", "unit": "mm"}),
            rod(shape={"points": [[0, 0, 0], ["10 mm", 0, "2*L cm"]]}),
            scenario(bodies=[{"name": "hub", "mass": 1, "inertia": [1, 1, 1], "position": ["t", "held", "free"]}],
                     joints=[{"kind": "ball", "of": ["rod.end", "ground", {"body": "hub", "point": [0, 0, 1]}]}],
                     springs=[{"of": ["rod.start", {"ground": [0, 0, 1]}], "stiffness": 1, "length": 1}]),
            scenario(gravity=[0, 0, "-1 g0"], loads=[{"name": "pull", "at": "5 cm", "force": [0, 0, "2 N"]}])]
REFUSED = [{}, scenario(withy=2), scenario(rod=[]), scenario(rods=[]), scenario(gravity=[0, 0]), scenario(contacts=[]),
           rod(length=-1), rod(shape={"points": {}}), rod(lenght=1), rod(model="kirchoff"), rod(segments=0), rod(section={"shape": "circle"}),
           rod(section={"shape": "rectangle", "radius": 1}), rod(law={"kind": "linear", "bending": 1}),
           rod(ends={"start": "clampd"}), scenario(solver={"transport": "on"}),
           scenario(joints=[{"kind": "ball", "of": ["rod.end"]}]), scenario(joints=[{"kind": "ball", "of": [1, 2]}]),
           scenario(joints=[{"kind": "weld", "of": ["rod.end", {"bodi": "hub"}]}]),
           scenario(springs=[{"of": ["rod.start", "ground", "ground"], "stiffness": 1, "length": 1}]),
           scenario(bodies=[{"mass": 1, "inertia": [1, 1, 1]}]),
           scenario(actuators=[{"kind": "tendon", "offset": [0, 0], "force": 1}])]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    wrong = [f"the keyword {name} is not known here" for name in set(names_of(schema)) - KEYWORDS]
    wrong += [f"refused: {value}: {found}" for value in ACCEPTED for found in errors(value, schema, schema)]
    wrong += [f"accepted: {value}" for value in REFUSED if not errors(value, schema, schema)]
    try:
        import yaml
    except ImportError:
        print("no YAML reader for Python: the built-in scenarios are not checked")
        yaml = None
    for path in sys.argv[2:] if yaml else []:
        with open(path, encoding="utf-8") as file:
            wrong += [f"{path}: {found}" for found in errors(yaml.safe_load(file), schema, schema)]
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
