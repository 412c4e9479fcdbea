"""The trained nets (``*.onnx`` with a manifest each), how they were made, and their benchmark."""
