"""The one place that imports langchain and faiss, so that their import-time warnings are met once.

Both warnings are about the libraries themselves and name nothing this project could change.
"""

import logging
import warnings

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message=".langchain-community. is being sunset", category=DeprecationWarning)
    warnings.filterwarnings("ignore", message="builtin type .* has no __module__", category=DeprecationWarning)
    import faiss
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_community.vectorstores import FAISS
    from langchain_community.vectorstores.utils import DistanceStrategy
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings

# The host silences "no relevant docs" the same way.
logging.getLogger("langchain_core.vectorstores.base").setLevel(logging.ERROR)

__all__ = ["FAISS", "DistanceStrategy", "Document", "Embeddings", "InMemoryDocstore", "faiss"]
