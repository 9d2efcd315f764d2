"""PyInstaller's hook for ggp: the commands, which are imported by name, and all plugins that have an entry point."""

import importlib.metadata

from PyInstaller.utils.hooks import collect_data_files, collect_submodules, copy_metadata

from ggp.cli.app import GROUP as COMMANDS
from ggp.plugin_hooks import GAMES, GROUP

POINTS = [point for group in (GROUP, GAMES, COMMANDS) for point in importlib.metadata.entry_points(group=group)]
PACKAGES = {"ggp", "rich", "rich_click"} | {point.module.partition(".")[0] for point in POINTS}
DISTRIBUTIONS = {"ggp"} | {point.dist.name for point in POINTS if point.dist}

hiddenimports = [module for package in sorted(PACKAGES) for module in collect_submodules(package)]
datas = [entry for name in sorted(DISTRIBUTIONS) for entry in copy_metadata(name)]
datas += [entry for package in sorted(PACKAGES) for entry in collect_data_files(package)]
