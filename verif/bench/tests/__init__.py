"""The pyuvm tests. Only a simulation imports them."""
