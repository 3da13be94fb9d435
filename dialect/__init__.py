"""The ``torch`` dialect as Python sees it: types, schemas, names, and building small IR."""
