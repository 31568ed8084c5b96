"""The shape of the house: imports point one way, hook files are thin, nothing is crowded (P-03, design.md)."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from rows import every_row

ROOT = Path(__file__).resolve().parents[1]
HELPERS = ROOT / "helpers"
#: Rooms whose rules work on arrays.
COUNTING_ROOMS = {"recall", "maintenance", "quality"}
SHELL = {"host", "store", "demo", "cli", "service", "page.py"}
SHELL_MODULES = {"clock.py", "load_and_index.py"}
#: Each room of the claims engine leans only on those before it.
ROOMS = (*("values", "slots", "grammar", "coreference", "clauses", "polarity", "sentences"), "comparison")
#: Each room of the shell leans only on those before it; the store and the first room on no module beside the rooms.
HOST_ROOMS = ("adoption", "recall", "quality", "vault", "notes", "knowledge", "maintenance", "tools", "page")
INNER_HOST_ROOMS = HOST_ROOMS[:1]
HOOKS = sorted((ROOT / "extensions" / "python").rglob("*.py"))
#: They load the rest off the event loop, and therefore nothing by themselves.
STARTING_HOOKS = [path for path in HOOKS if path.parent.name == "agent_init" or path.name.endswith("_ledger_start.py")]
TOOLS = sorted((ROOT / "tools").glob("*.py"))
PAGES = sorted((ROOT / "api").glob("*.py"))
#: It reads the wordings that lie beside the modules of the claims engine, and belong to the pack as these do.
TABLES = HELPERS / "language" / "tables.py"
MODULES = sorted(path for path in HELPERS.rglob("*.py"))
CORE = [
    path
    for path in MODULES
    if path.relative_to(HELPERS).parts[0] not in SHELL and path.relative_to(HELPERS).name not in SHELL_MODULES
]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, relative ones as `.package`."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


@every_row((path,) for path in CORE)
def test_core_knows_neither_host_nor_files_nor_clock(path: Path) -> None:
    """design.md: hook -> host -> core; the core opens no file, reads no clock, imports no host."""
    names = imported(path) - ({"numpy"} if path.relative_to(HELPERS).parts[0] in COUNTING_ROOMS else set())
    names -= {"pathlib"} if path == TABLES else set()
    assert not {name for name in names if "host" in name.split(".")}
    assert not names & {"os", "pathlib", "io", "time", "logging", "asyncio", "threading", "random", "faiss", "numpy"}
    calls = {ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)}
    assert not calls & {"open", "print", "datetime.now", "datetime.utcnow", "time.time"}


@every_row((path,) for path in MODULES)
def test_no_pattern_is_compiled_at_import(path: Path) -> None:
    """C-74: nobody waits for what no text has asked for yet; see `texts`."""
    tree = tree_of(path)
    inner = {id(node) for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) for node in ast.walk(one)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in inner]
    assert "re.compile" not in {ast.unparse(call.func) for call in calls}


def modules_of(path: Path, statements: Iterable[ast.AST]) -> set[Path]:
    """Return the modules of the pack that the imports among some statements of a module name."""
    found = set()
    for node in statements:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            named = [base / alias.name for alias in node.names] if base.is_dir() else [base]
            found |= {one if (one := name.with_suffix(".py")).is_file() else base / "__init__.py" for name in named}
    return found - {path}


def imported_at_once(path: Path) -> set[Path]:
    """Return the modules of the pack that a module imports as soon as it is imported itself."""
    return modules_of(path, tree_of(path).body)


def imported_at_all(path: Path) -> set[Path]:
    """Return the modules of the pack that a module imports, for its types only and in its functions as well."""
    return modules_of(path, ast.walk(tree_of(path)))


def test_settings_are_read_without_the_grammar() -> None:
    """C-72: who only reads the settings does not wait for the claims engine."""
    reached, open_ones = set(), {HELPERS / "settings.py"}
    while open_ones:
        reached |= open_ones
        open_ones = {one for path in open_ones for one in imported_at_once(path)} - reached
    assert HELPERS / "records.py" in reached
    assert not {path.name for path in reached if HELPERS / "claims" in path.parents}


def test_imports_form_no_circle() -> None:
    """design.md: data flows one way, for types as well."""
    tuple(TopologicalSorter({path: imported_at_all(path) for path in MODULES}).static_order())


NAMED_BY_THE_SPECIFICATION = HELPERS / "notes" / "load_and_index.py"


def test_rooms_lean_only_on_those_below() -> None:
    """design.md: the picture in ARCHITECTURE is the order of the rooms, read from its end."""
    picture = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("```picture\n")[2].partition("```")[0]
    order = [name for name in re.findall(r"([a-z]+)/", picture) if (HELPERS / name / "__init__.py").is_file()]
    assert sorted(order) == sorted(path.parent.name for path in HELPERS.glob("*/__init__.py"))
    for path in {*MODULES} - {NAMED_BY_THE_SPECIFICATION}:
        room, *inner = path.relative_to(HELPERS).parts
        used = {one.relative_to(HELPERS).parts[0] for one in imported_at_all(path)} & {*order} if inner else set()
        above = used & {*order[: order.index(room)]} if used else set()
        assert above <= ({"host"} if room == "service" else set()), path


def test_language_knows_nothing_of_what_is_read_with_it() -> None:
    """design.md: what reads English leans on no room, so that every room may read with it."""
    for path in sorted((HELPERS / "language").glob("*.py")):
        assert {name for name in imported(path) if name.startswith("..")} <= {"..texts"}, path.name


#: Names of slots, states and units: what the tables call them, not what people write.
NAMED_IN_CODE = {"_AGENT_ASIDE", "_BITS", "_DIMENSIONS", "_OF_SUBJECT", "_WHO_AND_WHERE"}
READING_ROOMS = ("language", "claims", "ledger", "similar")
READING = [path for room in READING_ROOMS for path in (HELPERS / room).rglob("*.py")]


@every_row((path,) for path in READING)
def test_words_stand_in_the_tables_and_not_in_code(path: Path) -> None:
    """T-03: a class of words is data, with an example; Python holds mechanisms."""
    found = [
        (node.lineno, words)
        for top in tree_of(path).body
        if _name_of(top) not in NAMED_IN_CODE
        for node in ast.walk(top)
        if len(words := _words_of(node)) > 3
    ]
    assert found == []


def _name_of(statement: ast.stmt) -> str:
    target = getattr(statement, "target", None) or next(iter(getattr(statement, "targets", [])), None)
    return target.id if isinstance(target, ast.Name) else ""


def _words_of(node: ast.AST) -> list[str]:
    """The words of a set, of what is made one, or of a text that is split into them."""
    values: list[ast.expr] = []
    is_split = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    if isinstance(node, ast.Set):
        values = node.elts
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set"):
        values = [one for each in node.args for one in (each.elts if isinstance(each, ast.Tuple | ast.List) else [])]
    elif is_split:
        values = [node.func.value]
    texts = [one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [
        word for text in texts for word in (text.split() if is_split else [text]) if word.replace(" ", "").isalpha()
    ]


@pytest.mark.parametrize(("folder", "rooms"), [("claims", ROOMS), ("host", HOST_ROOMS)])
def test_rooms_are_all_named(folder: str, rooms: tuple[str, ...]) -> None:
    """design.md: a newcomer finds the room from the folder names."""
    assert {path.parent.name for path in (HELPERS / folder).glob("*/__init__.py")} == set(rooms)


@pytest.mark.parametrize("room", ROOMS)
def test_data_flows_one_way_through_the_claims_engine(room: str) -> None:
    """design.md: no room imports one that stands after it, nor the whole that they make up."""
    later = ROOMS[ROOMS.index(room) + 1 :]
    for path in sorted((HELPERS / "claims" / room).glob("*.py")):
        names = {name for name in imported(path) if name.startswith("..")}
        assert not {name for name in names if name.strip(".").split(".")[0] in {*later, ""}}, path.name


@pytest.mark.parametrize("room", HOST_ROOMS)
def test_data_flows_one_way_through_the_shell(room: str) -> None:
    """design.md: a room knows nothing of what stands after it, and of the hooks and sessions only if it serves them."""
    later, earlier = HOST_ROOMS[HOST_ROOMS.index(room) + 1 :], HOST_ROOMS[: HOST_ROOMS.index(room)]
    for path in sorted((HELPERS / "host" / room).glob("*.py")):
        names = {name[2:].split(".")[0] for name in imported(path) if re.match(r"\.\.(?!\.)", name)}
        assert not names & {*later}, path.name
        assert room not in INNER_HOST_ROOMS or names <= {*earlier, "host_agent", "turns"}, path.name


def test_each_name_of_a_class_is_given_once() -> None:
    """design.md: one word for each thing, one thing for each word; what a module keeps to itself is its own."""
    trees = [tree_of(path) for path in MODULES]
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1 and not name.startswith("_")] == []


@every_row((path,) for path in HOOKS)
def test_hook_file_is_an_adapter(path: Path) -> None:
    """P-03: at most 40 lines, one class, no helper, no constant, nothing relative; heavy imports inside `execute`.

    The number in its name orders it, and the host runs every file in the folder.
    """
    tree = tree_of(path)
    assert re.fullmatch(r"_\d\d_[a-z0-9_]+\.py", path.name)
    assert len(path.read_text("utf-8").splitlines()) <= 40
    kinds = [type(node) for node in tree.body]
    assert kinds.count(ast.ClassDef) == 1
    assert set(kinds) <= {ast.Expr, ast.ImportFrom, ast.ClassDef}
    always, heavy = "usr.plugins.memory_ledger.helpers.host.extension", "usr.plugins.memory_ledger.helpers.host"
    assert imported(path) == ({always} if path in STARTING_HOOKS else {always, heavy})


PACK = "usr.plugins.memory_ledger.helpers"
THIN = [(path, [ast.ImportFrom], {f"{PACK}.host.tools.tool", f"{PACK}.host.tools"}) for path in TOOLS]
THIN += [(path, [ast.ImportFrom] * 2, {"helpers.api", f"{PACK}.host.extension", PACK}) for path in PAGES]


@every_row(THIN)
def test_tool_or_page_file_is_an_adapter(path: Path, imports: list[type], modules: set[str]) -> None:
    """P-03: as a hook file; a host takes the one class in it, and what describes a tool, by the name of the file."""
    assert len(path.read_text("utf-8").splitlines()) <= 40
    assert [type(node) for node in tree_of(path).body] == [ast.Expr, *imports, ast.ClassDef]
    assert imported(path) == modules
    assert path not in TOOLS or (ROOT / "prompts" / f"agent.system.tool.{path.stem}.md").is_file()


def test_hooks_have_the_names_and_numbers_of_the_specification() -> None:
    """P-01, P-03, C-04, C-07: the specification's own file names, in the hooks it names."""
    assert {"message_loop_prompts_after/_55_memory_relevance_filter.py", "monologue_end/_55_memory_classifier.py"} <= {
        f"{path.parent.name}/{path.name}" for path in HOOKS
    }
    for folder in ("extensions", "helpers", "config", "tests"):
        assert (ROOT / folder).is_dir()
    for file in ("install.py", "pyproject.toml", "README.md"):
        assert (ROOT / file).is_file()


@every_row((path,) for path in [*MODULES, *sorted((ROOT / "installer").glob("*.py"))])
def test_no_module_is_crowded(path: Path) -> None:
    """At most about 450 lines; imports inside the package are relative, so that it works under both of its names."""
    assert len(path.read_text("utf-8").splitlines()) <= 450
    assert not {name for name in imported(path) if name.startswith(("memory_ledger", "helpers", "usr"))}


def test_numbers_of_requirements_stand_in_the_documents() -> None:
    """design.md: a docstring says what is returned; `docs/specification.md` and the tests name the requirements."""
    nodes = [(path.name, node) for path in MODULES for node in ast.walk(tree_of(path))]
    documented = [(name, node) for name, node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    assert [name for name, node in documented if re.search(r"\b[CETQVM]-\d+", ast.get_docstring(node) or "")] == []


#: Sentences that have to be read twice: a question in place of what is returned, a relative clause of nobody.
RIDDLES = re.compile(
    r"^(?:What|How|Who|Whose|Where|Which|Whatever|Whoever)\b"
    r"|\b(?:what is no|what no|what there is|what is not|in no such|it is none)\b"
)
#: Names that say nothing.
NAMELESS = {"one", "told", "said", "way", "stuff", "tmp", "val", "res"}
READABLE = [*MODULES, *sorted((ROOT / "installer").glob("*.py")), ROOT / "install.py", ROOT / "hooks.py", *HOOKS]


@every_row((path,) for path in READABLE)
def test_docstrings_and_names_are_plain(path: Path) -> None:
    """A docstring says what is returned, done or held; a name is a noun of the field."""
    nodes = [*ast.walk(tree_of(path))]
    documented = (node for node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef))
    texts = [ast.get_docstring(node) or "" for node in documented]
    assert [text for text in texts if RIDDLES.search(" ".join(text.split()))] == []
    inner = [part for node in nodes if isinstance(node, ast.FunctionDef) for part in ast.walk(node)]
    names = {part.id for part in inner if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    assert not (names | {part.arg for part in inner if isinstance(part, ast.arg)}) & NAMELESS


#: By what Agent Zero, and the libraries under it, ask a chat model something.
MODEL_CALLS = {
    "call_utility_model", "call_chat_model", "call_utility_llm", "call_chat_llm", "call_llm", "unified_call",
    "get_chat_model", "get_utility_model", "completion", "acompletion", "ainvoke", "invoke",
}  # fmt: skip


@every_row((path,) for path in [*MODULES, *HOOKS, *TOOLS, *PAGES])
def test_no_model_is_asked(path: Path) -> None:
    """E-01, E-49, C-03, C-38: rules decide; an embedding is the only thing that a model makes."""
    tree = tree_of(path)
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not named & MODEL_CALLS
    assert not {name.split(".")[0] for name in imported(path)} & {"openai", "litellm", "transformers", "networkx"}


def test_dependencies_are_what_the_host_ships() -> None:
    """P-02: anything else is an optional extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {requirement.split(">")[0].split("=")[0].split("[")[0] for requirement in project["dependencies"]}
    assert names <= {"faiss-cpu", "langchain-community", "sentence-transformers", "numpy", "pydantic", "click", "rich"}


def test_every_package_is_installed() -> None:
    """design.md: what `pip install` copies is all of helpers, not what somebody remembered to list."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    folders = [path.parent.relative_to(HELPERS).parts for path in HELPERS.rglob("__init__.py")]
    assert sorted(listed) == sorted(".".join(("memory_ledger", *parts)) for parts in folders)
