"""From a picture of a table to a reading of it: which card lies where, with what certainty."""
