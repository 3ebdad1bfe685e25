"""`python -m eights_cli`: the command `eights`, where its script is not on the path."""

from eights_cli.main import main

main()
