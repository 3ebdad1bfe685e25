"""How Hypothesis looks for counterexamples, and what Ctrl-C does.

The examples are the same in every run, so that a failure comes from a change and not from the day.
`pytest --hypothesis-profile=default` looks at new ones; do so after a change of a parser.
"""

import signal

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.load_profile("same")

# In the background of a script Ctrl-C is ignored, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
