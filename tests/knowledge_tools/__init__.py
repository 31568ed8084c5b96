"""Logs, messages and files for the tests of institutional knowledge, wherever they stand."""
