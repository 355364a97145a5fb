"""The untrusted side: runs a student's cells and answers calls. It knows no case and no answer.

`channel` and `wire` are shared with the grader, and `forkserver` is forked from a grading process
before that knows anything; nothing else here may be imported by it.
"""
