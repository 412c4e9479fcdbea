"""The scene in Blender's Cycles: table, cards, some things that lie about, light and camera."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from .camera import Camera, View, aim
from .lights import light
from .sheets import THICK, Sheet, outline, settle
from .surfaces import Nodes, surface
from .tables import Table


@dataclass(frozen=True, slots=True)
class Deck:
    """A folder of pictures AS.png … KC.png; `height` in card widths; `back` a picture of its own."""

    name: str
    folder: Path
    back: Path
    height: float
    radius: float = 0.055


@dataclass(frozen=True, slots=True)
class Setting:
    """All that is not the table's cards; the seed draws the rest."""

    deck: Deck
    surface: str
    light: str
    view: View
    seed: int
    things: int = 1
    samples: int = 24


def build(table: Table, setting: Setting) -> tuple[Camera, list[Sheet], tuple[float, float, float]]:
    """Fill an empty scene; what is returned is the truth about it and the main light's colour."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rng = random.Random(setting.seed)
    bend = rng.choice([0.0, rng.uniform(0, 0.02), rng.uniform(-0.006, 0.03)])
    sheets = settle(table.cards, setting.deck.height, bend, setting.seed)
    points = np.concatenate([s.corners() for s in sheets])
    middle = np.array([*((points.min(axis=0) + points.max(axis=0)) / 2)[:2], 0.0])
    _cards(sheets, setting.deck, middle, rng)
    _top(setting.surface, rng)
    main = light(setting.light, rng)
    camera = aim(points - middle, setting.view)
    _things(rng, setting.things, camera, points - middle)
    _camera(camera)
    return Camera(camera.place + middle, camera.turn, camera.view), sheets, main


def _mesh(name: str, vertices: np.ndarray, faces: Iterable[tuple[int, ...]]) -> bpy.types.Object:
    """An object from points and faces, linked."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], list(faces))
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    return thing


def _print(picture: Path, gloss: tuple[float, float], tint: tuple[float, ...]) -> bpy.types.Material:
    """Printed card stock."""
    n = Nodes(picture.stem)
    image = bpy.data.images.load(str(picture), check_existing=True)
    texture = n.add("TexImage", image=image, extension="EXTEND")
    n.set("Base Color", n.mix(1.0, texture.outputs["Color"], (*tint, 1), "MULTIPLY"))
    n.set("Roughness", gloss[0])
    n.set("Specular IOR Level", gloss[1])
    return n.material


def _cards(sheets: list[Sheet], deck: Deck, middle: np.ndarray, rng: random.Random) -> None:
    """Every card as a thin box with round corners."""
    gloss = rng.uniform(0.22, 0.6), rng.uniform(0.2, 0.55)
    tint = (0.86, 0.86 - rng.uniform(0, 0.02), 0.86 - rng.uniform(0, 0.1))
    edge = Nodes("paper")
    edge.set("Base Color", (0.6, 0.58, 0.52, 1))
    back = _print(deck.back, gloss, tint)
    u, v = outline(deck.height, deck.radius)
    rows, columns = u.shape
    index = np.arange(rows * columns).reshape(rows, columns)
    quads = [
        (int(index[r, c]), int(index[r + 1, c]), int(index[r + 1, c + 1]), int(index[r, c + 1]))
        for r in range(rows - 1)
        for c in range(columns - 1)
    ]
    ring = [*index[0], *index[1:, -1], *index[-1, -2::-1], *index[-2:0:-1, 0]]
    under = rows * columns
    sides = [(int(a), int(b), int(b) + under, int(a) + under) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
    for sheet in sheets:
        top = sheet.world(u.ravel(), v.ravel()) - middle
        bottom = top - np.array([0, 0, THICK * 0.92])
        thing = _mesh(sheet.laid.code, np.concatenate([top, bottom]), [*quads, *sides])
        face = _print(deck.folder / f"{sheet.laid.code}.png", gloss, tint) if sheet.laid.face_up else back
        thing.data.materials.append(face)
        thing.data.materials.append(edge.material)
        where = np.stack([u.ravel() + 0.5, v.ravel() / deck.height + 0.5], axis=-1)
        layer = thing.data.uv_layers.new()
        for polygon in thing.data.polygons:
            polygon.material_index = 0 if polygon.index < len(quads) else 1
            polygon.use_smooth = polygon.index < len(quads)
            for loop in polygon.loop_indices:
                layer.data[loop].uv = where[thing.data.loops[loop].vertex_index % under]


def _top(name: str, rng: random.Random) -> None:
    """A big table top over a floor."""
    half = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], dtype=float)
    top = _mesh("table", half * rng.uniform(11, 24), [(0, 1, 2, 3)])
    top.data.materials.append(surface(name, rng))
    floor = _mesh("floor", half * 200 - np.array([0, 0, 12.0]), [(0, 1, 2, 3)])
    ground = Nodes("floor")
    grey = rng.uniform(0.05, 0.3)
    ground.set("Base Color", (grey, grey * 0.9, grey * 0.8, 1))
    floor.data.materials.append(ground.material)


def _things(rng: random.Random, count: int, camera: Camera, points: np.ndarray) -> None:
    """Cups, pencils and phones that stand on free ground in the picture."""
    half = np.array([camera.view.width, camera.view.height])
    for _ in range(count):
        for _try in range(60):
            spot = np.array([rng.uniform(-9, 9), rng.uniform(-9, 9), 0.0])
            seen = camera.project(spot[None])[0] / half
            clear = float(np.min(np.linalg.norm(points[:, :2] - spot[:2], axis=1))) > 2.3
            if clear and 0.03 < seen[0] < 0.97 and 0.03 < seen[1] < 0.97 and not _hides(spot, camera, points):
                _thing(rng, spot)
                points = np.concatenate([points, spot[None]])
                break


def _hides(spot: np.ndarray, camera: Camera, points: np.ndarray) -> bool:
    """Whether something two card widths high there may stand before a card."""
    column = spot + np.array([[0, 0, 0.5], [0, 0, 1.2], [0, 0, 2.0]])
    seen, cards = camera.project(column), camera.project(points)
    unit = float(np.linalg.norm(cards[0] - cards[1]))
    return bool((np.linalg.norm(seen[:, None] - cards[None], axis=2).min(axis=1) < 1.1 * unit).any())


def _thing(rng: random.Random, spot: np.ndarray) -> None:
    """One of a cup, a pencil, a phone."""
    n = Nodes("thing")
    n.set("Base Color", (*(rng.uniform(0.02, 0.8) for _ in range(3)), 1))
    n.set("Roughness", rng.uniform(0.1, 0.6))
    rng.choice([_cup, _pencil, _phone])(n, spot, rng.uniform(0, 3.14))


def _cup(n: Nodes, spot: np.ndarray, _turn: float) -> None:
    """A mug with something dark in it."""
    x, y, _ = spot
    mesh = bpy.ops.mesh
    mesh.primitive_cylinder_add(radius=0.62, depth=1.5, location=(x, y, 0.75), end_fill_type="NOTHING")
    bpy.context.object.modifiers.new("wall", "SOLIDIFY").thickness = 0.06
    bpy.context.object.data.materials.append(n.material)
    mesh.primitive_circle_add(radius=0.6, fill_type="NGON", location=(x, y, 1.2))
    drink = Nodes("drink")
    drink.set("Base Color", (0.06, 0.025, 0.01, 1))
    drink.set("Roughness", 0.05)
    bpy.context.object.data.materials.append(drink.material)
    mesh.primitive_torus_add(major_radius=0.36, minor_radius=0.08, location=(x + 0.72, y, 0.75), rotation=(1.57, 0, 0))
    bpy.context.object.data.materials.append(n.material)


def _pencil(n: Nodes, spot: np.ndarray, turn: float) -> None:
    """Six edges, lying."""
    where = {"location": (spot[0], spot[1], 0.06), "rotation": (1.5708, 0, turn)}
    bpy.ops.mesh.primitive_cylinder_add(radius=0.06, depth=2.6, vertices=6, **where)
    bpy.context.object.data.materials.append(n.material)


def _phone(n: Nodes, spot: np.ndarray, turn: float) -> None:
    """A dark glossy slab."""
    bpy.ops.mesh.primitive_cube_add(size=1, location=(spot[0], spot[1], 0.065), rotation=(0, 0, turn))
    body = bpy.context.object
    body.scale = (1.15, 2.4, 0.13)
    bpy.ops.object.transform_apply(location=False, rotation=False)
    bevel = body.modifiers.new("edge", "BEVEL")
    bevel.width, bevel.segments = 0.06, 3
    n.set("Base Color", (0.01, 0.01, 0.012, 1))
    n.set("Roughness", 0.08)
    body.data.materials.append(n.material)


def _camera(camera: Camera) -> None:
    """The scene's camera from ours."""
    data = bpy.data.cameras.new("phone")
    data.sensor_fit, data.sensor_width, data.lens = "AUTO", 36.0, camera.view.lens
    thing = bpy.data.objects.new("phone", data)
    bpy.context.collection.objects.link(thing)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = camera.turn, camera.place
    thing.matrix_world = Matrix(matrix.tolist())
    bpy.context.scene.camera = thing


def render(view: View, samples: int, threads: int) -> np.ndarray:
    """(height, width, 3) linear light of the scene as it stands."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", samples, False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_input_passes = "FAST", "RGB_ALBEDO_NORMAL"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.resolution_x, scene.render.resolution_y = view.width, view.height
    scene.render.image_settings.file_format = "OPEN_EXR"
    path = Path(bpy.app.tempdir) / "linear.exr"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path), check_existing=False)
    pixels = np.empty(view.width * view.height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    path.unlink()
    return pixels.reshape(view.height, view.width, 4)[::-1, :, :3].copy()
