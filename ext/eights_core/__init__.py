"""The compiled core of eights: states, rules, belief and search. `eights` is its public face."""
