"""The search net over a picture: indices, card corners, whole cards, and a map of where cards show."""
