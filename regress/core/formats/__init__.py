"""The files people and programs exchange with us: one pydantic model each.

A model says what its file holds; validation, the place of every mistake, the JSON schema and the
page of documentation come from it.
"""
