"""The maintenance run of one memory folder: when it is due, its stages in their order, in slices."""
