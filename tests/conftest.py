"""Hypothesis profiles: `dev` here, `ci` where the environment says CI=true."""

import os

import hypothesis

hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")
