"""How Hypothesis looks for counterexamples.

The examples are the same in every run, so that a failure comes from a change and not from the day.
`pytest --hypothesis-profile=default` looks at new ones; do so after a change of a parser.
"""

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.load_profile("same")
