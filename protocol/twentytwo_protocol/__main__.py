"""Writes the generated files: `python -m twentytwo_protocol`."""

from __future__ import annotations

import json
from pathlib import Path

from .manual import reference, schemas


def files() -> dict[str, str]:
    """The text of each generated file, by its path below protocol/."""
    found = {"REFERENCE.md": reference().rstrip() + "\n"}
    for name, schema in schemas().items():
        found[f"schema/{name}"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return found


def main() -> None:
    """Writes every generated file to its place below protocol/."""
    folder = Path(__file__).parent.parent
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
