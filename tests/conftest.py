"""How Hypothesis looks for counterexamples.

The examples are the same in every run, so that a failure comes from a change and not from the day: Hypothesis's own
profile for that is `ci`. `pytest --hypothesis-profile=default` looks at new ones; do so after a change of a parser.
"""

from hypothesis import settings

settings.load_profile("ci")
