"""The picture of the plugin's card: a ledger with one line struck out and two that hold.

    python generators/thumbnail.py FOLDER

writes `webui/thumbnail.png` into FOLDER. Shapes are distances from their edge, in which a pixel is painted as far as
it lies within; so the picture is smooth, and the same wherever it is drawn.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Sequence

import numpy as np
from generating import write_files
from numpy.typing import NDArray

THUMBNAIL_FILE = "webui/thumbnail.png"
SIZE = 256

Pixels = NDArray[np.float64]
Colour = tuple[int, int, int]

_NIGHT: Colour = (24, 40, 84)
_SKY: Colour = (58, 118, 226)
_PAPER: Colour = (250, 250, 246)
_SHADE: Colour = (206, 214, 230)
_INK: Colour = (44, 62, 104)
_FADED: Colour = (168, 178, 198)
_GREEN: Colour = (22, 163, 104)
_RED: Colour = (214, 64, 72)
_ROWS = (84.0, 130.0, 176.0)
_STRUCK = 1


def draw() -> NDArray[np.uint8]:
    """Return the picture: SIZE rows of SIZE pixels of red, green, blue and opacity."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    share = ((x + y) / (2 * SIZE))[..., None]
    colours = (1 - share) * np.array(_SKY) + share * np.array(_NIGHT)
    opacity = _coverage(_box(x, y, (4, 4, 252, 252), 54))
    colours = _paint(colours, _box(x, y, (60, 36, 216, 226), 18), _SHADE)
    colours = _paint(colours, _box(x, y, (46, 30, 208, 218), 18), _PAPER)
    for row, height in enumerate(_ROWS):
        is_struck = row == _STRUCK
        colours = _paint(colours, _line(x, y, (110, height), (180, height), 7.5), _FADED if is_struck else _INK)
        marks = (
            [((66, -9), (84, 9)), ((66, 9), (84, -9))] if is_struck else [((62, 1), (71, 11)), ((71, 11), (88, -11))]
        )
        for (left, above), (right, below) in marks:
            ends = (left, height + above), (right, height + below)
            colours = _paint(colours, _line(x, y, *ends, 5.5), _RED if is_struck else _GREEN)
    return np.dstack([colours, 255 * opacity]).round().astype(np.uint8)


def to_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return a picture as a PNG file."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def _box(x: Pixels, y: Pixels, edges: tuple[float, float, float, float], radius: float) -> Pixels:
    """Return how far each pixel is outside of a box with round corners."""
    left, top, right, bottom = edges
    beside = np.abs(x - (left + right) / 2) - (right - left) / 2 + radius
    above = np.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius
    outside = np.hypot(np.maximum(beside, 0), np.maximum(above, 0))
    return np.asarray(outside + np.minimum(np.maximum(beside, above), 0) - radius)


def _line(x: Pixels, y: Pixels, start: tuple[float, float], end: tuple[float, float], radius: float) -> Pixels:
    """Return how far each pixel is outside of a line with round ends."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    share = ((x - start[0]) * along_x + (y - start[1]) * along_y) / (along_x**2 + along_y**2)
    share = np.clip(share, 0, 1)
    return np.asarray(np.hypot(x - start[0] - share * along_x, y - start[1] - share * along_y) - radius)


def _coverage(distance: Pixels) -> Pixels:
    return np.asarray(np.clip(0.5 - distance, 0, 1))


def _paint(colours: Pixels, distance: Pixels, colour: Colour) -> Pixels:
    share = _coverage(distance)[..., None]
    return np.asarray((1 - share) * colours + share * np.array(colour))


def main(argv: Sequence[str]) -> int:
    """Write the picture into the folder named by `argv`; 0 when done, 2 on misuse."""
    return write_files(argv, __doc__, lambda _: {THUMBNAIL_FILE: to_png(draw())})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
