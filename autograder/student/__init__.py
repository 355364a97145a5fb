"""What a starter holds of this program, beside `checking.py`: its folder has a copy of each module.

There they stand alone, so they import nothing of the program but each other, and of libraries only
what the starter's requirements bring.
"""
