"""The pyuvm tests. Only a simulator imports them."""
