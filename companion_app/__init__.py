"""The companion: command line, page and settings. The only room with files, time and the network."""
