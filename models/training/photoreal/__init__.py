"""Card tables rendered with light, shadow and lens: the sample pictures and the tables kept for validation."""
