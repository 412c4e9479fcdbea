"""Cards put together from their witnesses, before anything is known of a layout."""
