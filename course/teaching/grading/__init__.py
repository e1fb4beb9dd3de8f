"""``python -m course grade``: a class of untrusted submissions, graded so that one can trust the result.

``intake`` reads what students handed in, ``job`` says what one grading depends on, ``attempt`` runs a lab's tests on
one submission in a trusted process of its own, ``plan`` finds out from the reference which tests must run and which of
them code without any idea passes, ``scoring`` gives points, ``store`` keeps records, and ``reports`` shows them.
"""
