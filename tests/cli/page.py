# SPDX-License-Identifier: MIT
"""Pages of withy view: read as docs/dev/scene.md describes them, and compared with what the run left."""
import base64
import re
import zlib

from results import *

TYPES = {"f64": "<f8", "f32": "<f4", "u16": "<u2", "i16": "<i2", "u8": "u1"}
PATTERN = re.compile(rb'<script id="withy-scene" type="application/json">([^<]*)</script>\n'
                     rb'<script id="withy-data" type="application/octet-stream">([A-Za-z0-9+/=]*)</script>')


def refuse(word):
    raise ValueError(f"the header holds {word}")


class Page:
    def __init__(self, path):
        with open(path, "rb") as file:
            text = file.read()
        found = PATTERN.findall(text)
        assert len(found) == 1, f"{path}: {len(found)} runs"
        assert b"<!--withy-scene-->" not in text, f"{path}: the marker is still there"
        assert b"</html>" in text[text.rindex(found[0][1]):], f"{path} ends early"
        self.size = len(text)
        self.header = json.loads(found[0][0].decode("utf-8"), parse_constant=refuse)
        self.data = zlib.decompress(base64.b64decode(found[0][1], validate=True))
        assert len(self.data) == self.header["bytes"], f"{path}: {len(self.data)} bytes, {self.header['bytes']} announced"

    def __getitem__(self, key):
        return self.header[key]

    def numbers(self, array):
        """The numbers as they are stored, without scale."""
        dtype = np.dtype(TYPES[array["type"]])
        count, offset = array["count"], array["offset"]
        assert offset % 8 == 0 and offset + count*dtype.itemsize <= len(self.data), array
        raw = np.frombuffer(self.data, np.uint8, count*dtype.itemsize, offset)
        if array.get("split"):
            raw = raw.reshape(2, count).T.reshape(-1)
        values = np.frombuffer(np.ascontiguousarray(raw).tobytes(), dtype)
        if "delta" in array and count > 0:
            rows = values.reshape(-1, array["delta"]).astype(np.int64)
            values = np.cumsum(rows, axis=0).astype(np.uint16).view(dtype).reshape(-1)
        return values

    def decode(self, array, *shape):
        components = array.get("components", 1)
        values = self.numbers(array).astype(float).reshape(-1, components)
        values = np.array(array.get("shift", 0)) + np.array(array.get("scale", 1))*values
        return values.reshape(shape)

    def quantum(self, array):
        """Half a step of the stored numbers, and what single precision or the arithmetic leaves."""
        if array["type"] == "f64":
            return 0.0
        if array["type"] == "f32":
            return 2**-24*np.abs(self.decode(array, -1)).max()
        return 0.5*np.array(array["scale"])*(1 + 1e-9) + 1e-12


def make(command, scenario, folder, *arguments):
    done = run(command, "run", scenario, "-o", folder, "--quiet", *arguments)
    expect_equal(done.returncode, 0, f"{folder}: {done.stderr}")


def view(command, folder, *arguments, status=0):
    """The page that was made of a folder, or the message where the exit status is another one."""
    done = run(command, "view", folder, *arguments)
    expect_equal(done.returncode, status, f"view {folder} {arguments}: {done.stdout}{done.stderr}")
    if status:
        expect_equal(done.stdout, "", "stdout after an error")
        expect(done.stderr.startswith("withy"), "stderr:", done.stderr)
        return done.stderr
    path = arguments[1] if "-o" in arguments else folder + "/view.html"
    expect_equal(done.stdout, path + "\n", "the path is printed")
    expect(not os.path.exists(path + ".part"), "a part of the page was left behind")
    return Page(path)


def close(got, want, tolerance, what):
    expect_equal(got.shape, want.shape, what + ": shape")
    worst = np.max(np.abs(got - want)/np.maximum(tolerance, 1e-300)) if want.size else 0
    expect(worst <= 1, f"{what}: {worst} times the tolerance {np.max(tolerance)}")


def director(q, which):
    w, x, y, z = np.moveaxis(q, -1, 0)
    columns = ((1 - 2*(y*y + z*z), 2*(x*y + w*z), 2*(x*z - w*y)), (2*(x*y - w*z), 1 - 2*(x*x + z*z), 2*(y*z + w*x)))
    return np.stack(columns[which], axis=-1)


def at(s, from_s, values):
    """Values at `s` on the straight lines through those at `from_s`, the first and last of them prolonged."""
    i = np.clip(np.searchsorted(from_s, s, side="right") - 1, 0, len(from_s) - 2)
    part = ((s - from_s[i])/(from_s[i + 1] - from_s[i]))[:, None]
    return (1 - part)*values[:, i] + part*values[:, i + 1]


def turn_at(s, from_s, q):
    """The rotations between, by the angle: q_i (q_i^-1 q_i+1)^part, in terms of the rotation vector."""
    i = np.clip(np.searchsorted(from_s, s, side="right") - 1, 0, len(from_s) - 2)
    part = ((s - from_s[i])/(from_s[i + 1] - from_s[i]))
    a, b = q[:, i], q[:, i + 1]
    relative = multiply(a*[1, -1, -1, -1], b)
    relative = relative*np.where(relative[..., :1] < 0, -1, 1)
    sine = np.linalg.norm(relative[..., 1:], axis=-1)
    angle = np.arctan2(sine, relative[..., 0])*part
    axis = relative[..., 1:]/np.maximum(sine, 1e-300)[..., None]
    return multiply(a, np.concatenate([np.cos(angle)[..., None], np.sin(angle)[..., None]*axis], axis=-1))


def multiply(p, q):
    pw, pv, qw, qv = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
    return np.concatenate([pw*qw - np.sum(pv*qv, -1, keepdims=True), pw*qv + qw*pv + np.cross(pv, qv)], axis=-1)


def check_rod(page, rod, data, frames):
    """Everything of a rod against result.h5, at the frames that are shown."""
    what, home = rod["name"], f"rods/{rod['name']}/"
    s, size = data[home + "s"], (len(frames), len(data[home + "s"]))
    close(page.decode(rod["s"], -1), s, 1e-15, what + ": s")
    close(page.decode(rod["position"], *size, 3), data[home + "position"][frames], page.quantum(rod["position"]),
          what + ": position")
    q = turn_at(s, data[home + "frame_s"], data[home + "frame"][frames])
    close(page.decode(rod["d1"], *size, 3), director(q, 0), page.quantum(rod["d1"]), what + ": d1")
    if "d2" in rod:
        close(page.decode(rod["d2"], *size, 3), director(q, 1), page.quantum(rod["d2"]), what + ": d2")
    between = {name: at(s, data[home + name + "_s"], data[home + name][frames])
               for name in ("curvature", "force", "moment", "velocity")}
    want = {"curvature": np.hypot(between["curvature"][..., 0], between["curvature"][..., 1]),
            "torsion": between["curvature"][..., 2], "force": np.linalg.norm(between["force"], axis=-1),
            "moment": np.linalg.norm(between["moment"], axis=-1), "speed": np.linalg.norm(between["velocity"], axis=-1)}
    expect_equal(sorted(rod["quantities"]), sorted(want if page["analysis"] == "dynamics" else set(want) - {"speed"}),
                 what + ": quantities")
    for name, array in rod["quantities"].items():
        # 1e-12: what the two ways of interpolating differ by
        close(page.decode(array, *size), want[name], page.quantum(array) + 1e-12*np.abs(want[name]).max(),
              f"{what}: {name}")
        low, high = array["shift"], array["shift"] + 65535*array["scale"]
        margin = 1e-12*max(abs(low), abs(high))
        expect(abs(low - want[name].min()) <= margin and abs(high - want[name].max()) <= margin, what, name, "range")


def check_charts(page, folder):
    rows = table(folder + "/probes.csv")
    data = datasets(folder)
    for chart in page["charts"]:
        count = chart["time"]["count"]
        time = page.decode(chart["time"], count)
        expect(np.all(np.diff(time) > 0), chart["title"], "time does not increase")
        if chart["title"] == "energies":
            source = {name: data["energy/" + name] for name in chart["columns"]}
            source_time = data["time"]
        else:
            source = {name: rows[chart["title"] + ("." + name if len(name) == 1 else "")] for name in chart["columns"]}
            source_time = rows["t"]
        index = np.searchsorted(source_time, time)
        expect(np.array_equal(source_time[index], time), chart["title"], "times are none of the table")
        expect(index[0] == 0 and index[-1] == len(source_time) - 1, chart["title"], "first and last row")
        for name, array in zip(chart["columns"], chart["values"]):
            got = page.decode(array, count)
            expect(np.array_equal(got, source[name][index]), chart["title"], name, "values")
            expect_equal((got.min(), got.max()), (source[name].min(), source[name].max()), "extremes of " + name)
