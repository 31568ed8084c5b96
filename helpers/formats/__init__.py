"""The files of people's memories: exports of chats and of other memories, tables, notes.

Pure. `reading` takes bytes for new memories; `writing` writes those of a folder for others.
"""
