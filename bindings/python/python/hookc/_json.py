"""JSON text to Python values without a change of any number."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any


def _limit() -> int:
    """The digits that Python converts to an `int`; some limit in any case, since the time grows with their square."""
    return sys.get_int_max_str_digits() or sys.int_info.default_max_str_digits


def _fraction(text: str) -> int | float | Decimal:
    exact = Decimal(text)
    exponent = exact.as_tuple().exponent
    # Beyond 2**53, where a `float` skips whole numbers. Canonical JSON writes those from 10**21 on with an exponent.
    if 15 < exact.adjusted() < _limit() and isinstance(exponent, int) and exponent >= 0:
        return int(exact)
    number = float(text)
    return number if exact == Decimal(repr(number)) else exact


def _whole(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:
        # Python limits the digits of an `int` in a text (`sys.set_int_max_str_digits`).
        return Decimal(text)


def loads(text: str) -> Any:
    """Whole numbers are `int`, with an exponent only beyond 2**53, and `Decimal` beyond the digits that Python converts;
    all others are `float` if its shortest form is the same number, else `Decimal`."""
    return json.loads(text, parse_float=_fraction, parse_int=_whole)
