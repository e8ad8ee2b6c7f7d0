"""Fills in the templates of pages, in the folder ``templates``; Jinja escapes all values."""

from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from sanproof.reports.tables.words import number_of


def render(name: str, **values: Any) -> bytes:  # noqa: ANN401 - whatever a template shows
    """Fill in a template, with commas between the thousands of whole numbers.

    UTF-8 cannot encode lone surrogates, so they become replacement characters.
    """
    return _ENVIRONMENT.get_template(name).render(values).encode("utf-8", "xmlcharrefreplace")


def json_data(content: object) -> Markup:
    """Write JSON that is safe in a page and in a script, because it cannot open or close a tag."""
    return htmlsafe_json_dumps(content, separators=(",", ":"))


def _with_commas(value: object) -> object:
    return f"{value:,}" if type(value) is int else value


@cache
def repository() -> str:
    """Return the address of the project's repository, or an empty text if it is not known."""
    try:
        lines = metadata("sanproof").get_all("Project-URL", [])
    except PackageNotFoundError:  # a tree that was not installed
        return ""
    return str(dict(line.split(", ", 1) for line in lines).get("Repository", ""))


_ENVIRONMENT: Final = Environment(
    loader=PackageLoader(__package__),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=_with_commas,
)
_ENVIRONMENT.filters |= {"counted": number_of, "commas": _with_commas, "tojson": json_data}
_ENVIRONMENT.globals["repository"] = repository
