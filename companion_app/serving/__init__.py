"""The page's server: its addresses, who may use them, and what it sends."""
