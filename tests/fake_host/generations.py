"""What differs between the Agent Zero generations, as one table (contract, last table).

Nothing here acts. Every other room reads a trait instead of asking which generation it is in.
"""

from dataclasses import dataclass, replace

AREAS = ("main", "fragments", "solutions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """One generation of the host. A trait is named after what the host does, not after when it began."""

    name: str
    release: str

    # where things are
    helpers: str = "python.helpers"
    memory_module: str = "python.helpers.memory"
    point_root: str = "python/extensions"
    memory_point_root: str = "python/extensions"
    tool_root: str = "python/tools"
    memory_tool_root: str = "python/tools"
    memory_prompt_root: str = "prompts"
    memory_root: str = "usr/memory"
    chat_root: str = "usr/chats"
    custom_knowledge_root: str = "usr/knowledge"
    user_point_root: str = "usr/extensions"
    user_tool_root: str = "usr/tools"
    user_prompt_root: str = "usr/prompts"

    # extensions and plugins
    has_plugins: bool = False
    searches_user_folders: bool = True
    always_awaits: bool = True
    retries_after_error: int = 1
    ends_with_its_task: bool = True  # no end point is reached once the task of the chat is over

    # memory core
    root_knowledge_area_is_enum: bool = False
    has_index_hash: bool = False
    deletes_derived: bool = False
    iso_timestamps: bool = False
    accepts_embedding: bool = False

    # memorizing and recall
    memorizes_in_background_thread: bool = True
    update_always_inserts: bool = True
    recall_times_out: bool = True
    recall_returns_result: bool = False
    tells_recall_trouble_as_error: bool = False  # a warning later

    # what stands between the model and a tool
    filters_tools: bool = False
    shortens_calls: bool = False  # a built-in plugin rewrites what a model has said
    gives_subordinates_a_chat: bool = False  # which has no task: no point tells that its agent has ended

    # what an extension sees
    agent_comes_before_chat_data: bool = False  # at agent_init the chat has no data, type or task yet
    unfences_every_prompt: bool = False

    @property
    def default_knowledge_root(self) -> str:
        """Folder of the knowledge subdirectory called "default"."""
        return "knowledge" if self.searches_user_folders else "knowledge/default"


A2 = Traits(name="A2", release="v0.9.8.2")

A1 = replace(
    A2,
    name="A1",
    release="v0.9.7",
    memory_root="memory",
    chat_root="tmp/chats",
    custom_knowledge_root="knowledge/custom",
    user_point_root="python/extensions",
    user_tool_root="python/tools",
    user_prompt_root="prompts",
    searches_user_folders=False,
    retries_after_error=0,
    ends_with_its_task=False,
    root_knowledge_area_is_enum=True,
    memorizes_in_background_thread=False,
    recall_times_out=False,
    tells_recall_trouble_as_error=True,
    agent_comes_before_chat_data=True,
    unfences_every_prompt=True,
)

B = replace(
    A2,
    name="B",
    release="v1.14",
    helpers="helpers",
    memory_module="plugins._memory.helpers.memory",
    point_root="extensions/python",
    memory_point_root="plugins/_memory/extensions/python",
    tool_root="tools",
    memory_tool_root="plugins/_memory/tools",
    memory_prompt_root="plugins/_memory/prompts",
    user_point_root="usr/extensions/python",
    has_plugins=True,
    always_awaits=False,
    has_index_hash=True,
    deletes_derived=True,
    update_always_inserts=False,
)

C = replace(B, name="C", release="v2.4", iso_timestamps=True)

C_PLUS = replace(C, name="C+", release="after v2.6", accepts_embedding=True, recall_returns_result=True)

D = replace(C_PLUS, name="D", release="v2.13", filters_tools=True, shortens_calls=True, gives_subordinates_a_chat=True)

GENERATIONS: dict[str, Traits] = {traits.name: traits for traits in (A1, A2, B, C, C_PLUS, D)}
ALL_GENERATIONS: tuple[str, ...] = tuple(GENERATIONS)
