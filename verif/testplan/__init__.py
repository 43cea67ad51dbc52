"""The verification plan: features, the checks and proofs of each, and what recorded runs say."""
