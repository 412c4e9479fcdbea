"""What would make a picture read better."""
