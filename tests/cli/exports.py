# SPDX-License-Identifier: MIT
"""Files of withy export, read by small readers of our own: GLB, USD as text, OBJ. And what result.h5 says about them."""
import re
import struct

from results import *

EPSILON = 2.0**-24  # half a step of single precision


# ---- Rotations: quaternions are scalar first ----

def multiply(a, b):
    a, b = np.broadcast_arrays(a, b)
    w, v, u, q = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([w*u - np.sum(v*q, -1, keepdims=True), w*q + u*v + np.cross(v, q)], -1)


def matrix(q):
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    return np.moveaxis(np.array([[1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y)],
                                 [2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x)],
                                 [2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]]), (0, 1), (-2, -1))


def frames_at(places, s, frames):
    """Frames between those of the file, and beyond them: [time][place][4]. By the logarithm of the rotation from one to the
    next."""
    at = np.clip(np.searchsorted(s, places, side="right") - 1, 0, len(s) - 2)
    part = ((places - s[at])/(s[at + 1] - s[at]))[:, None]
    first, second = frames[:, at], frames[:, at + 1]
    between = multiply(first*[1, -1, -1, -1], second)
    between = between*np.where(between[..., :1] < 0, -1, 1)
    sine = np.linalg.norm(between[..., 1:], axis=-1, keepdims=True)
    angle = np.arctan2(sine, between[..., :1])*part
    axis = between[..., 1:]/np.where(sine > 0, sine, 1)
    return multiply(first, np.concatenate([np.cos(angle), np.sin(angle)*axis], -1))


UPRIGHT = {"x": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "y": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
           "z": [[1, 0, 0], [0, 0, 1], [0, -1, 0]], "-x": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
           "-y": [[1, 0, 0], [0, -1, 0], [0, 0, -1]], "-z": [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}


def upright(points, up):
    """Points of the run with y up: the shortest turn from an axis of the run to y."""
    return np.asarray(points) @ np.array(UPRIGHT[up], float).T


# ---- GLB ----

class Glb:
    """A GLB file: the document, and its numbers."""
    TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
    WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def __init__(self, path):
        data = read(path)
        magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, kind) == (b"glTF", 2, b"JSON") and length == len(data), path
        self.document = json.loads(data[20:20 + size])
        rest, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0" and 28 + size + rest == length and length % 4 == 0, path
        self.binary = data[28 + size:]

    def __getitem__(self, key):
        return self.document[key]

    def numbers(self, accessor):
        about = self["accessors"][accessor]
        view = self["bufferViews"][about["bufferView"]]
        width = self.WIDTH[about["type"]]
        values = np.frombuffer(self.binary, self.TYPES[about["componentType"]], about["count"]*width,
                               view["byteOffset"] + about.get("byteOffset", 0))
        return values.reshape(-1, width) if width > 1 else values

    def node(self, name):
        return next(i for i, node in enumerate(self["nodes"]) if node.get("name") == name)

    def tracks(self):
        """{(node, path): numbers} and the times; nothing where nothing moves."""
        found, time = {}, None
        for animation in self.document.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                assert sampler.get("interpolation", "LINEAR") == "LINEAR"
                time = self.numbers(sampler["input"])
                found[channel["target"]["node"], channel["target"]["path"]] = self.numbers(sampler["output"])
        return found, time

    def turn(self):
        """The rotation of the root."""
        x, y, z, w = self["nodes"][self.node("run")].get("rotation", [0, 0, 0, 1])
        return matrix([w, x, y, z])

    def joints(self, rod):
        """Positions [time][points][3] and quaternions of the joints of a rod within the root, as they are stored."""
        node = self["nodes"][self.node(rod)]
        joints = self["skins"][node["skin"]]["joints"]
        tracks, _ = self.tracks()
        position = [tracks.get((j, "translation"), np.float32([self["nodes"][j]["translation"]])) for j in joints]
        rotation = [tracks.get((j, "rotation"), np.float32([self["nodes"][j]["rotation"]])) for j in joints]
        return np.moveaxis(np.array(position), 0, 1), np.moveaxis(np.array(rotation), 0, 1)[..., [3, 0, 1, 2]]

    def primitive(self, name):
        return self["meshes"][self["nodes"][self.node(name)]["mesh"]]["primitives"][0]

    def skinned(self, rod):
        """Vertices of a rod in all snapshots [time][vertices][3], their normals, and the joint of each."""
        attributes = self.primitive(rod)["attributes"]
        skin = self["skins"][self["nodes"][self.node(rod)]["skin"]]
        joint = self.numbers(attributes["JOINTS_0"])[:, 0].astype(int)
        assert np.array_equal(self.numbers(attributes["WEIGHTS_0"]), [[255, 0, 0, 0]]*len(joint))
        inverse = np.moveaxis(self.numbers(skin["inverseBindMatrices"]).astype(float).reshape(-1, 4, 4), 1, 2)[joint]
        point = self.numbers(attributes["POSITION"]).astype(float)
        normal = self.numbers(attributes["NORMAL"]).astype(float)
        local = np.einsum("kij,kj->ki", inverse[:, :3, :3], point) + inverse[:, :3, 3]
        side = np.einsum("kij,kj->ki", inverse[:, :3, :3], normal)
        position, rotation = self.joints(rod)
        frames = matrix(rotation)[:, joint]
        placed = np.einsum("tkij,kj->tki", frames, local) + position[:, joint]
        return placed @ self.turn().T, np.einsum("tkij,kj->tki", frames, side) @ self.turn().T, joint


# ---- USD as text ----

WORD = re.compile(r'\s*(?:#[^\n]*\n\s*)*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[A-Za-z_][A-Za-z0-9_:.]*(?:\[\])?|[(){}\[\]=,:])')


class Usda:
    """Prims with attributes: {name: (type, attributes)}, attributes {name: value or {time: value}}."""

    def __init__(self, path):
        text = read(path).decode().rstrip()
        assert text.startswith("#usda 1.0\n"), text[:20]
        self.words, at = [], 0
        while at < len(text):
            found = WORD.match(text, at)
            assert found, f"{path}: no word of USD at {text[at:at + 40]!r}"
            self.words.append(found[1])
            at = found.end()
        self.at = 0
        self.about = self.pairs("(", ")")
        self.prims = {}
        self.prim(self.prims)
        assert self.at == len(self.words), f"{path}: text after the end"

    def peek(self):
        return self.words[self.at]

    def take(self, want=None):
        word = self.words[self.at]
        assert want is None or word == want, f"found {word!r}, want {want!r} after {self.words[max(0, self.at - 8):self.at]}"
        self.at += 1
        return word

    def value(self):
        word = self.take()
        if word in "([":
            values = []
            while self.peek() not in ")]":
                values.append(self.value())
                if self.peek() == ",":
                    self.take()
            assert self.take() == {"(": ")", "[": "]"}[word]
            return values
        if word[0] == '"':
            return re.sub(r"\\(.)", r"\1", word[1:-1])
        return float(word)

    def pairs(self, begin, end):
        """`name = value`, with a type before it in dictionaries."""
        found = {}
        self.take(begin)
        while self.peek() != end:
            words = [self.take()]
            while self.peek() != "=":
                words.append(self.take())
            self.take("=")
            found[words[-1]] = self.pairs("{", "}") if self.peek() == "{" else self.value()
        self.take(end)
        return found

    def samples(self):
        found = {}
        self.take("{")
        while self.peek() != "}":
            time = float(self.take())
            self.take(":")
            assert time not in found
            found[time] = self.value()
            if self.peek() == ",":
                self.take()
        self.take("}")
        return found

    def attribute(self, attributes):
        kind = self.take()
        if kind == "uniform":
            kind = self.take()
        name = self.take()
        if self.peek() == "=":
            self.take()
            moves = name.endswith(".timeSamples")
            attributes[name.removesuffix(".timeSamples")] = self.samples() if moves else self.value()
        if self.peek() == "(":
            attributes[name + "()"] = self.pairs("(", ")")
        attributes[name.removesuffix(".timeSamples") + ":type"] = kind

    def prim(self, prims):
        self.take("def")
        kind, name, attributes = self.take(), self.value(), {}
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name not in prims, name
        prims[name] = kind, attributes
        if self.peek() == "(":
            attributes["()"] = self.pairs("(", ")")
        self.take("{")
        while self.peek() != "}":
            if self.peek() == "def":
                self.prim(attributes.setdefault("prims", {}))
            else:
                self.attribute(attributes)
        self.take("}")


# ---- OBJ ----

def read_obj(path):
    """{object: {v: [..][3], f: faces, l: lines, s: smoothing}}, faces and lines by numbers of the object's own vertices."""
    objects, count = {}, 0
    for line in read(path).decode().splitlines():
        word, _, rest = line.partition(" ")
        if word == "o":
            here = objects.setdefault(rest, {"v": [], "f": [], "l": [], "first": count})
        elif word == "v":
            here["v"].append(list(map(float, rest.split())))
            count += 1
        elif word in "fl":
            numbers = [int(number) - 1 - here["first"] for number in rest.split()]
            assert min(numbers) >= 0 and max(numbers) < len(here["v"]), line
            here[word].append(numbers)
        elif word == "s":
            here["s"] = rest
        else:
            assert word == "#", line
    for item in objects.values():
        item["v"] = np.array(item["v"])
    return objects


def volume(points, faces):
    """What a closed surface encloses, positive where all faces are anticlockwise from outside; every edge is passed once in
    either direction."""
    edges = [(face[i - 1], face[i]) for face in faces for i in range(len(face))]
    assert len(set(edges)) == len(edges) and {(b, a) for a, b in edges} == set(edges), "the surface is not closed"
    return sum(np.dot(points[face[0]], np.cross(points[face[i]], points[face[i + 1]]))/6
               for face in faces for i in range(1, len(face) - 1))
