"""Replays policies over recorded events: `python -m hookc.replay --policy new.yaml 'events/*.parquet'`.

DuckDB reads the files and counts; `hookc.replay_stream` decides between the two. Install `hookc[replay]`.
"""

from hookc.replay._duckdb import Files, Group, Totals, replay_files

__all__ = ["Files", "Group", "Totals", "replay_files"]
