"""A whole evening of play in a network and folders of its own, with all that leaves the program written down."""
