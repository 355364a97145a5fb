"""The class report: from a folder of results to one page that shows what to teach again.

Each module finds out one thing, as plain facts; `page.py` makes HTML of them, `sheet.py` CSV.
"""
