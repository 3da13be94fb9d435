"""Python access to the ``torch`` dialect: types, schemas, names, and builders of IR."""
