"""The one place where text becomes HTML, or JSON that stands in HTML: all of it is escaped here."""

import json
from collections.abc import Iterable, Mapping
from html import escape
from string import Template
from typing import Final

Value = str | int
"""What may be filled in: text and counts are escaped, :class:`Markup` is HTML already."""

_ENTITIES: Final = "xmlcharrefreplace"
"""For lone surrogates, which UTF-8 cannot hold: a browser shows them as unknown characters."""


class Markup(str):
    """HTML made by this module: the only text that is not escaped when it is filled in."""

    __slots__ = ()


def html(template: str, **values: Value) -> Markup:
    """HTML with values in it.

    Args:
        template: HTML with fields ``{name}``; written in the source, never made from data.
        **values: What stands in the fields: text, which is escaped; counts, which get commas
            between thousands; or :class:`Markup`.
    """
    return Markup(template.format(**{name: _safe(value) for name, value in values.items()}))


def joined(parts: Iterable[Value], between: str = "") -> Markup:
    """Several values one after the other, each made safe as by :func:`html`."""
    return Markup(_safe(between).join(map(_safe, parts)))


def document(template: str, values: Mapping[str, str]) -> bytes:
    """A whole page: a template with fields ``$name``, and the :class:`Markup` for each.

    Raises:
        TypeError: A value is plain text: it was not made by this module.
    """
    if plain := [name for name, value in values.items() if not isinstance(value, Markup)]:
        raise TypeError(f"not escaped: {', '.join(plain)}")
    return Template(template).substitute(values).encode("utf-8", _ENTITIES)


def json_data(content: object) -> Markup:
    """JSON that may stand in a script and in a page: nothing in it can open or close a tag."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _safe(value: Value) -> str:
    if isinstance(value, Markup):
        return value
    return f"{value:,}" if isinstance(value, int) else escape(value)
