"""JSON text to Python values without a change of any number."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


def _fraction(text: str) -> float | Decimal:
    number = float(text)
    exact = Decimal(text)
    return number if exact == Decimal(repr(number)) else exact


def _whole(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:
        # Python limits the digits of an `int` in a text (`sys.set_int_max_str_digits`).
        return Decimal(text)


def loads(text: str) -> Any:
    """Numbers with a fraction or an exponent are `float` if its shortest form is the same number, else `Decimal`;
    all others are `int`, or `Decimal` beyond the digits that Python converts."""
    return json.loads(text, parse_float=_fraction, parse_int=_whole)
