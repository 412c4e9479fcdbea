"""The verbs of `cardtable`, one file each."""
