"""Learning the weights of `eights_core.model` from self-play; needs numpy, and is imported only by who trains."""
