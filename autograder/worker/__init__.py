"""The untrusted side: runs a student's cells and answers calls. It knows no case and no answer.

`wire` is shared with the grader; nothing else here may be imported by it.
"""
