"""Table tops as shader nodes, no picture files. Every maker returns colour, roughness and a height for bumps."""

from __future__ import annotations

import colorsys
import random
from collections.abc import Callable
from typing import Any

import bpy

Surface = tuple[Any, float, Any, float]


class Nodes:
    """A material's node tree, with a line per node instead of five."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.shader = self.tree.nodes["Principled BSDF"]

    def add(self, kind: str, *, inputs: dict[str | int, Any] | None = None, **properties: Any) -> Any:
        """A node; an input may be a value or another node's output."""
        node = self.tree.nodes.new("ShaderNode" + kind)
        for key, value in properties.items():
            setattr(node, key, value)
        for key, value in (inputs or {}).items():
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[key])
            else:
                node.inputs[key].default_value = value
        return node

    def set(self, key: str, value: Any) -> None:
        """One input of the shader."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, self.shader.inputs[key])
        else:
            self.shader.inputs[key].default_value = value

    def place(self, scale: tuple[float, float], turn: float = 0.0) -> Any:
        """Coordinates on the table, stretched and turned."""
        where = self.add("TexCoord").outputs["Object"]
        mapping = self.add("Mapping", inputs={"Vector": where, "Rotation": (0, 0, turn), "Scale": (*scale, 1)})
        return mapping.outputs["Vector"]

    def ramp(self, factor: Any, colours: list[tuple[float, tuple[float, ...]]], *, steps: bool = False) -> Any:
        """Colours over 0 … 1."""
        node = self.add("ValToRGB", inputs={"Fac": factor})
        node.color_ramp.interpolation = "CONSTANT" if steps else "LINEAR"
        for _ in colours[2:]:
            node.color_ramp.elements.new(0.5)
        for element, (position, colour) in zip(node.color_ramp.elements, sorted(colours), strict=True):
            element.position, element.color = position, (*colour, 1)
        return node.outputs["Color"]

    def mix(self, factor: Any, a: Any, b: Any, blend: str = "MIX") -> Any:
        """Two colours together."""
        node = self.add("MixRGB", blend_type=blend, inputs={"Fac": factor, "Color1": a, "Color2": b})
        return node.outputs["Color"]

    def noise(self, vector: Any, scale: float, detail: float = 4.0, distortion: float = 0.0) -> Any:
        """Fractal noise, 0 … 1."""
        values = {"Vector": vector, "Scale": scale, "Detail": detail, "Distortion": distortion}
        return self.add("TexNoise", inputs=values).outputs["Fac"]


def colour(rng: random.Random, hue: tuple[float, float], strength: tuple[float, float], light: tuple[float, float]):
    """A colour in linear light from ranges of hue, saturation and value."""
    rgb = colorsys.hsv_to_rgb(rng.uniform(*hue) % 1, rng.uniform(*strength), rng.uniform(*light))
    return tuple(v**2.2 for v in rgb)


def shade(rgb: tuple[float, ...], by: float) -> tuple[float, ...]:
    """The same colour lighter or darker."""
    return tuple(min(1.0, v * by) for v in rgb)


def wood(n: Nodes, rng: random.Random) -> Surface:
    """Long grain, sometimes in boards."""
    base = colour(rng, (0.04, 0.1), (0.35, 0.75), (0.3, 0.8))
    turn = rng.choice([0.0, 1.57]) + rng.gauss(0, 0.05)
    long = n.place((rng.uniform(0.12, 0.3), rng.uniform(1.5, 3.5)), turn)
    grain = n.noise(long, rng.uniform(1.5, 3), 8, rng.uniform(0.3, 1.5))
    tone = n.ramp(grain, [(0.25, shade(base, 0.55)), (0.5, base), (0.75, shade(base, 1.35))])
    if rng.random() < 0.6:
        boards = n.add(
            "TexBrick",
            offset=0.37,
            inputs={
                "Vector": n.place((1, 1), turn),
                "Scale": 1.0,
                "Color1": (1, 1, 1, 1),
                "Color2": (*(rng.uniform(0.5, 0.9),) * 3, 1),
                "Mortar": (0.12, 0.1, 0.09, 1),
                "Mortar Size": 0.012,
                "Brick Width": rng.uniform(9, 16),
                "Row Height": rng.uniform(1.6, 3.0),
            },
        )
        tone = n.mix(1.0, tone, boards.outputs["Color"], "MULTIPLY")
    return tone, rng.uniform(0.3, 0.6), grain, 0.05


def cloth(n: Nodes, rng: random.Random) -> Surface:
    """Woven, one colour."""
    base = colour(rng, (0, 1), (0.05, 0.7), (0.25, 0.85))
    where = n.place((1, 1), rng.gauss(0, 0.2))
    scale = rng.uniform(9, 16)
    warp = n.add("TexWave", bands_direction="X", inputs={"Vector": where, "Scale": scale, "Distortion": 0.6})
    weft = n.add("TexWave", bands_direction="Y", inputs={"Vector": where, "Scale": scale, "Distortion": 0.6})
    weave = n.mix(0.5, warp.outputs["Color"], weft.outputs["Color"])
    tone = n.mix(n.noise(where, 0.6), (*shade(base, 0.85), 1), (*shade(base, 1.1), 1))
    return n.mix(0.25, tone, weave, "MULTIPLY"), 0.9, weave, 0.12


def felt(n: Nodes, rng: random.Random) -> Surface:
    """Card-room cloth, green, blue, wine or grey."""
    base = colour(rng, rng.choice([(0.32, 0.45), (0.55, 0.65), (0.95, 1.0)]), (0.4, 0.85), (0.2, 0.5))
    where = n.place((1, 1))
    fibre = n.noise(where, 60, 3)
    tone = n.mix(fibre, (*shade(base, 0.75), 1), (*shade(base, 1.25), 1))
    return tone, 0.95, fibre, 0.15


def marble(n: Nodes, rng: random.Random) -> Surface:
    """Veined stone, pale or dark."""
    pale = rng.random() < 0.65
    base = colour(rng, (0, 1), (0, 0.12), (0.75, 0.9) if pale else (0.12, 0.3))
    vein = shade(base, 0.45 if pale else 3.0)
    where = n.place((1, 1), rng.uniform(0, 3))
    flow = n.noise(where, rng.uniform(0.15, 0.4), 9, rng.uniform(1.5, 4))
    tone = n.ramp(flow, [(0.0, base), (0.44, base), (0.5, vein), (0.55, base), (1.0, shade(base, 0.9))])
    return tone, rng.uniform(0.2, 0.45), flow, 0.0


def oilcloth(n: Nodes, rng: random.Random) -> Surface:
    """Kitchen checks, slightly glossy."""
    base = colour(rng, (0, 1), (0.5, 0.85), (0.45, 0.8))
    ground = colour(rng, (0.08, 0.16), (0.0, 0.15), (0.8, 0.95))
    where = n.place((1, 1), rng.gauss(0, 0.25))
    scale = rng.uniform(0.5, 1.6)
    parts = n.add("SeparateXYZ", inputs={0: where})
    bands = []
    for axis in ("X", "Y"):
        times = n.add("Math", operation="MULTIPLY", inputs={0: parts.outputs[axis], 1: scale})
        part = n.add("Math", operation="FRACT", inputs={0: times.outputs[0]})
        bands.append(n.add("Math", operation="GREATER_THAN", inputs={0: part.outputs[0], 1: 0.5}).outputs[0])
    both = n.add("Math", operation="ADD", inputs={0: bands[0], 1: bands[1]})
    half = n.add("Math", operation="MULTIPLY", inputs={0: both.outputs[0], 1: 0.5})
    tone = n.mix(half.outputs[0], (*ground, 1), (*base, 1))
    return tone, rng.uniform(0.25, 0.5), n.noise(where, 3), 0.03


def stripes(n: Nodes, rng: random.Random) -> Surface:
    """A runner with stripes of several widths."""
    hue = rng.random()
    tones = [colour(rng, (hue, hue + 0.15), (0.1, 0.7), (0.3, 0.9)) for _ in range(3)]
    parts = n.add("SeparateXYZ", inputs={0: n.place((1, 1), rng.gauss(0, 0.2) + rng.choice([0, 1.57]))})
    times = n.add("Math", operation="MULTIPLY", inputs={0: parts.outputs["X"], 1: rng.uniform(0.25, 0.7)})
    part = n.add("Math", operation="FRACT", inputs={0: times.outputs[0]})
    cuts = [0.0, *sorted(rng.uniform(0.1, 0.95) for _ in range(4))]
    tone = n.ramp(part.outputs[0], [(cut, tones[i % 3]) for i, cut in enumerate(cuts)], steps=True)
    return tone, 0.85, n.noise(n.place((1, 1)), 40), 0.08


def terrazzo(n: Nodes, rng: random.Random) -> Surface:
    """Speckled kitchen top."""
    base = colour(rng, (0, 1), (0.0, 0.2), (0.35, 0.85))
    where = n.place((1, 1))
    chips = n.add("TexVoronoi", inputs={"Vector": where, "Scale": rng.uniform(4, 12)})
    spot = n.ramp(chips.outputs["Distance"], [(0.0, (1, 1, 1)), (0.22, (1, 1, 1)), (0.26, (0, 0, 0))])
    chip = n.mix(0.88, chips.outputs["Color"], (*shade(base, 0.7), 1))
    return n.mix(spot, (*base, 1), chip), rng.uniform(0.2, 0.5), n.noise(where, 2), 0.0


SURFACES: dict[str, Callable[[Nodes, random.Random], Surface]] = {
    "wood": wood,
    "cloth": cloth,
    "felt": felt,
    "marble": marble,
    "oilcloth": oilcloth,
    "stripes": stripes,
    "terrazzo": terrazzo,
}


def surface(name: str, rng: random.Random) -> bpy.types.Material:
    """The material of that name."""
    n = Nodes(name)
    tone, roughness, height, strength = SURFACES[name](n, rng)
    n.set("Base Color", tone)
    n.set("Roughness", roughness)
    if strength:
        bump = n.add("Bump", inputs={"Strength": strength, "Distance": 0.05, "Height": height})
        n.set("Normal", bump.outputs["Normal"])
    return n.material
