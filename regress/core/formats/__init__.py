"""The formats of files that users and programs exchange with the manager.

Each format is a pydantic model. The checker, the line numbers of mistakes, the JSON schema and the
documentation page are generated from the model.
"""
