"""Mutants that nothing can notice, each with the reason: the module does the same.

Keyed by what does not change when the module is formatted anew; a key that fits no mutant is an
error.
"""

from typing import Final, NamedTuple


class Equivalent(NamedTuple):
    """Mutants that do the same as the module.

    Attributes:
        module: The module's name.
        where: The function.
        operator: What was done; empty for any operator.
        old: The node, as :class:`tests.mutation.operators.Mutant` has it.
        new: What stands in its place.
        why: Why that is the same.
        ordinals: Which of the mutants that are alike so far.
    """

    module: str
    where: str
    operator: str
    old: str
    new: str
    why: str
    ordinals: tuple[int, ...] = (1,)

    @property
    def keys(self) -> list[tuple[str, str, str, str, str, int]]:
        """The keys of the mutants."""
        return [(*self[:5], number) for number in self.ordinals]


EQUIVALENT: Final[list[Equivalent]] = []
