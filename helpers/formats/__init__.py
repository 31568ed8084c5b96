"""The files of people's memories: exports of chats and of other memories, tables, notes. Pure.

`reading` takes bytes for new memories; `memories` holds them, and writes those of a folder for others.
"""
