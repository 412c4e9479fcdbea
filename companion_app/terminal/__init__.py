"""What is typed and shown at a terminal, and files that commands read and write."""
