"""What lies at each place: the evidence of it, one posterior, one deck, one calibration."""
