#!/bin/sh
# Checks the types of the whole package: sh build_tools/typecheck.sh MYPY
#
# MYPY is the checker, on the PATH or relative to the repository; its options are in
# pyproject.toml. The package is put together from top-level folders (see there), which
# mypy cannot follow, so it reads a folder of links that looks like the installed package.
set -eu
cd "$(dirname "$0")/.."

package=build/typecheck/torch_refine
rm -rf "$package"
mkdir -p "$package"
ln -s "$PWD"/python/torch_refine/* "$package"
for folder in abstract_interp_lib abstract_interpreter build_tools dialect importer passes \
  pipelines runtime; do
  ln -s "$PWD/$folder" "$package"
done

exec "$1" --strict "$package"
