"""What the pages show, as plain values for their templates."""
