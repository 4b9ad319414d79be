# SPDX-License-Identifier: MIT
"""Expressions of scenarios: numbers, or texts of t and s in the words that Python and withy share, and `^`."""

import math
import re

WORDS = {name: getattr(math, name) for name in
         ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sqrt", "exp", "log", "floor", "pi")}
WORDS.update(min=min, max=max, abs=abs)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def number(value, digits=3):
    """The value with few digits: short scenarios are easier to read, and lose nothing."""
    return float(f"{value:.{digits}g}")


def value(expression, t=0.0, s=0.0):
    if is_number(expression):
        return float(expression)
    return float(eval(expression.replace("^", "**"), {"__builtins__": {}}, dict(WORDS, t=t, s=s)))


def uses(expression, name):
    return isinstance(expression, str) and re.search(rf"\b{name}\b", expression) is not None


def substitute(expression, name, text):
    if not isinstance(expression, str):
        return expression
    return re.sub(rf"\b{name}\b", text, expression)


def scaled(factor, expression):
    if is_number(expression):
        return factor * expression
    if factor == 1:
        return expression
    return f"{factor!r}*({expression})"


def total(parts):
    """The sum of (factor, expression): a number where all expressions are."""
    constant, texts = 0.0, []
    for factor, expression in parts:
        if factor == 0:
            continue
        if is_number(expression):
            constant += factor * expression
        else:
            texts.append(scaled(factor, expression))
    if not texts:
        return constant
    if constant != 0 or not texts:
        texts.insert(0, repr(constant))
    return " + ".join(texts)


def turned(matrix, expressions):
    """A vector of expressions, times a matrix."""
    return [total(zip(row, expressions)) for row in matrix]
