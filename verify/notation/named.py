"""Vocabularies: public names that programs rely on, each with a sentence for people."""

from enum import Enum
from typing import Self


class Named(Enum):
    """A name of a vocabulary: the value is the public name."""

    sentence: str
    """What it means, for people."""

    def __new__(cls, name: str, sentence: str = "") -> Self:
        """Make a member whose value is its name; with the name alone, a member is looked up."""
        member = object.__new__(cls)
        member._value_ = name
        member.sentence = sentence
        return member
