"""JSON text to Python values without a change of any number."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


def _fraction(text: str) -> float | Decimal:
    number = float(text)
    exact = Decimal(text)
    return number if exact == Decimal(repr(number)) else exact


def loads(text: str) -> Any:
    """Whole numbers are `int`. Others are `float` if its shortest form is the same number, else `Decimal`."""
    return json.loads(text, parse_float=_fraction)
