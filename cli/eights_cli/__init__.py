"""The command `eights`: a client of the library like any other."""
