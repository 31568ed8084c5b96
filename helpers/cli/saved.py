"""The memory folder of a command, as it was last saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..service.place import MemoryPlace
from ..store.files import CHAIN_FILE
from .declaring import Options
from .options import read_folder_settings

if TYPE_CHECKING:
    from ..quality.chain import Break
    from ..store.quality_columns import QualityFilter


def open_place(options: Options) -> SavedPlace:
    """Return the folder of a command as it was last saved, with its settings."""
    config = getattr(options, "config", None)
    return SavedPlace(options.folder, lambda: read_folder_settings(options.folder, config))


class SavedPlace(MemoryPlace):
    """A memory folder with its figures of quality, which are computed when a command asks for them."""

    def scores(self) -> Mapping[str, float]:
        """Return the quality score of every memory, 0..1."""
        from ..store.quality_columns import QualityFilter

        return {memory_id: figures["quality"] for memory_id, figures in self.grade(QualityFilter()).items()}

    def grade(self, wanted: QualityFilter) -> dict[str, dict[str, float]]:
        """Return quality, staleness and confidence of the memories that are as good as `wanted`."""
        from ..host.quality.reading import grade

        return grade(self, wanted)

    def breaks(self) -> Sequence[Break]:
        """Return the breaks of the chain of signatures, the lowest line first; reads every line."""
        from ..host.quality.reading import open_checker

        return open_checker(self).verify_chain().in_order if (self.path / CHAIN_FILE).exists() else ()
