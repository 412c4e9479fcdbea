"""Light of a room: window, ceiling, lamp or sun, with colour temperatures, in units of the room's own ambient light."""

from __future__ import annotations

import math
import random

import bpy
from mathutils import Vector

LIGHTS = ("window", "lamp", "ceiling", "sun", "evening")


def kelvin(temperature: float) -> tuple[float, float, float]:
    """Linear red, green, blue of a black body, green near 1; a fit by two power laws, good to some percent."""
    t = temperature / 6500
    red = 1.0 if t >= 1 else min(2.2, t**-0.75)
    blue = min(1.6, t**0.4) if t >= 1 else max(0.04, t**1.75)
    green = 1.0 if t >= 1 else t**0.12
    return red, green, blue


def _lamp(kind: str, at: tuple[float, float, float], rgb: tuple[float, ...], name: str) -> bpy.types.Object:
    """A lamp that points to the middle of the table."""
    data = bpy.data.lights.new(name, kind)
    data.color = rgb
    thing = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = Vector(at).to_track_quat("Z", "Y").to_euler()
    return thing


def _area(
    rng: random.Random, at: tuple[float, float, float], rgb: tuple[float, ...], size: float, times: float
) -> None:
    """A soft lamp whose light on the table is `times` that of the ambient."""
    lamp = _lamp("AREA", at, rgb, "area")
    lamp.data.shape = "RECTANGLE"
    lamp.data.size, lamp.data.size_y = size, size * rng.uniform(0.6, 1.6)
    distance = math.dist((0, 0, 0), at)
    lamp.data.energy = times * math.pi**2 * distance**2 * distance / max(at[2], distance * 0.3)


def _around(rng: random.Random, distance: tuple[float, float], up: tuple[float, float]) -> tuple[float, float, float]:
    """A point seen from the table at some height (degrees)."""
    d, a, e = rng.uniform(*distance), rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(*up))
    return d * math.cos(e) * math.cos(a), d * math.cos(e) * math.sin(a), d * math.sin(e)


def light(kind: str, rng: random.Random) -> tuple[float, float, float]:
    """Set the lights; the colour of the main light, for the camera's white balance."""
    if kind == "window":
        main = kelvin(rng.uniform(5000, 6800))
        _area(rng, _around(rng, (20, 34), (25, 55)), main, rng.uniform(12, 22), rng.uniform(1.0, 3.0))
        ambient = kelvin(rng.uniform(4500, 6500))
    elif kind == "lamp":
        main = kelvin(rng.uniform(2700, 3600))
        _area(rng, _around(rng, (12, 22), (55, 85)), main, rng.uniform(1.5, 5), rng.uniform(1.5, 4.0))
        ambient = kelvin(rng.uniform(2700, 4000))
    elif kind == "ceiling":
        main = kelvin(rng.uniform(3500, 5000))
        for _ in range(2):
            _area(rng, _around(rng, (26, 34), (60, 88)), main, rng.uniform(4, 9), rng.uniform(0.5, 1.2))
        ambient = main
    elif kind == "sun":
        main = kelvin(rng.uniform(5000, 5800))
        lamp = _lamp("SUN", _around(rng, (20, 20), (28, 65)), main, "sun")
        lamp.data.energy, lamp.data.angle = rng.uniform(1.5, 3.5) * math.pi, math.radians(rng.uniform(0.6, 2.5))
        ambient = kelvin(6500)
    else:
        main = kelvin(rng.uniform(2700, 3200))
        _area(rng, _around(rng, (10, 16), (30, 60)), main, rng.uniform(1.5, 3.5), rng.uniform(2.0, 4.0))
        _area(rng, _around(rng, (24, 34), (25, 45)), kelvin(6500), 12, rng.uniform(0.2, 0.8))
        ambient = kelvin(3500)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*ambient, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 1.0
    return main
