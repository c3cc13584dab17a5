"""Which cells are sensitive: rules by their own names, or as τ-ARGUS writes them.

>>> import quell as q
>>> q.Rules.of(q.p_percent(10), q.frequency(3)).to_dict()
{'p-percent': [{'p': 10}], 'frequency': {'minimum': 3}}
>>> q.Rules.of("P(10,1)|FREQ(3,20)").to_dict()
{'p-percent': [{'p': 10.0, 'n': 1}], 'frequency': {'minimum': 3, 'margin': 20.0}}
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Union

from ._quell import QuellError

Number = Union[int, float]


@dataclass(frozen=True)
class Rule:
    """One rule: its key in a job file, and its parameters."""

    key: str
    parameters: Any
    repeats: bool = False


def _given(**parameters: Any) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if value is not None}


def p_percent(p: Number, n: int | None = None, q: Number | None = None) -> Rule:
    """A cell is sensitive if one of its largest contributors can be estimated to within `p` percent.

    `n` is how many contributors may join forces, `q` to within how many percent everybody knows
    everybody else beforehand.
    """
    return Rule("p-percent", _given(p=p, q=q, n=n), repeats=True)


def prior_posterior(p: Number, q: Number, n: int | None = None) -> Rule:
    """The p/q rule: as `p_percent`, with what is known beforehand."""
    return p_percent(p, n=n, q=q)


def dominance(n: int, k: Number) -> Rule:
    """A cell is sensitive if its `n` largest contributors have more than `k` percent of it."""
    return Rule("dominance", {"n": n, "k": k}, repeats=True)


def frequency(minimum: int, margin: Number | None = None) -> Rule:
    """A cell is sensitive if it has fewer than `minimum` contributors."""
    return Rule("frequency", _given(minimum=minimum, margin=margin))


def zero(range: Number) -> Rule:
    """A cell whose contributors all contribute nothing is sensitive; it needs `range` upwards."""
    return Rule("zero", range)


def holdings(*rules: Rule) -> Rule:
    """Rules that look at holdings instead of respondents."""
    return Rule("holdings", Rules.of(*rules).to_dict())


@dataclass
class Rules:
    """Some rules together."""

    rules: list[Rule] = field(default_factory=list)

    @classmethod
    def of(cls, *rules: Rule | str | Rules) -> Rules:
        """Rules from single ones, from texts of τ-ARGUS, or from other rules."""
        found: list[Rule] = []
        for rule in rules:
            if isinstance(rule, Rules):
                found.extend(rule.rules)
            elif isinstance(rule, Rule):
                found.append(rule)
            elif isinstance(rule, str):
                found.extend(_of_argus(rule))
            else:
                raise _misuse(f"{rule!r} is no rule")
        return cls(found)

    def to_dict(self) -> dict[str, Any]:
        """The rules as `[rules]` of a job file has them."""
        part: dict[str, Any] = {}
        for rule in self.rules:
            if rule.repeats:
                part.setdefault(rule.key, []).append(rule.parameters)
            elif rule.key in part:
                raise _misuse(f"there are two rules {rule.key}")
            else:
                part[rule.key] = rule.parameters
        return part


def _misuse(what: str) -> QuellError:
    advice = 'give p_percent(10), frequency(3) and the like, or a text such as "P(10,1)|FREQ(3,20)"'
    error = QuellError(f"{what} ({advice})")
    error.what, error.where, error.advice = what, None, advice
    return error


def _of_argus(text: str) -> list[Rule]:
    """The rules of a `<SAFETYRULE>`: the third and fourth `P` and `NK`, and the second `FREQ`, are
    on holdings; those with a first 0 only hold a place."""
    own: list[Rule] = []
    of_holdings: list[Rule] = []
    seen: dict[str, int] = {}
    for word in filter(None, (part.strip() for part in text.split("|"))):
        match = re.fullmatch(r"([A-Za-z]+)\s*\(([^()]*)\)", word)
        try:
            name = match.group(1).upper() if match else ""
            numbers = [float(number) for number in match.group(2).split(",")] if match else []
        except ValueError:
            raise _misuse(f'"{word}" is no rule of τ-ARGUS') from None
        rule = _one_of_argus(name, numbers)
        if rule is None:
            raise _misuse(f'"{word}" is no rule of τ-ARGUS that can be given here')
        place = seen[name] = seen.get(name, 0) + 1
        if numbers[0] == 0 and name != "ZERO":
            continue
        is_of_holdings = place > (1 if name == "FREQ" else 2)
        (of_holdings if is_of_holdings else own).append(rule)
    return own + ([holdings(*of_holdings)] if of_holdings else [])


def _one_of_argus(name: str, numbers: list[float]) -> Rule | None:
    if name == "P" and len(numbers) in (1, 2, 3):
        if len(numbers) == 3:
            return p_percent(numbers[0], q=numbers[1], n=int(numbers[2]))
        return p_percent(numbers[0], n=int(numbers[1]) if len(numbers) == 2 else None)
    if name == "NK" and len(numbers) == 2:
        return dominance(int(numbers[0]), numbers[1])
    if name == "FREQ" and len(numbers) == 2:
        return frequency(int(numbers[0]), numbers[1])
    if name == "ZERO" and len(numbers) == 1:
        return zero(numbers[0])
    return None
