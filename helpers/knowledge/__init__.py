"""Institutional knowledge: audit logs, distilled into files that every prompt may carry."""
