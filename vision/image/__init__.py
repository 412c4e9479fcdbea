"""A picture file made pixels, in a process of its own where it comes from others, and masks on them."""
