"""Writes the generated files: `python -m twentytwo_protocol`."""

from __future__ import annotations

import json
from pathlib import Path

from . import javascript
from .manual import reference, schemas

SDK = "client/web/sdk"


def files() -> dict[str, str]:
    """The text of each generated file, by its path in the project."""
    found = {"protocol/REFERENCE.md": reference().rstrip() + "\n"}
    for name, schema in schemas().items():
        found[f"protocol/schema/{name}"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    found |= {f"{SDK}/words.js": javascript.module(), f"{SDK}/words.d.ts": javascript.types()}
    return found


def main() -> None:
    """Writes every generated file to its place in the project."""
    folder = Path(__file__).parents[2]
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
