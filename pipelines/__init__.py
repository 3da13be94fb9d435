"""Named pipelines, and their parser and runner."""
