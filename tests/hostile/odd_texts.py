"""Raises with texts that cannot be encoded, or that do things to a terminal or an XML file."""


def double(x):
    raise ValueError("\ud800 \x00 \x1b[2J \x07 \u202e \uffff" + chr(8) * 100)


def apply(step, numbers):
    raise type("Odd\x1b[2J", (Exception,), {})("\udcff\x1b]0;title\x07")
