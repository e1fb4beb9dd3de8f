"""``python3 -m course grade``: a class of untrusted submissions, graded so that the result can be trusted.

``intake`` reads submissions, ``job`` says what one grading depends on and keeps records, ``local`` forks a child for
each, in which ``attempt`` runs a lab's tests; ``plan`` finds out which tests must run and which of them are free,
``scoring`` gives points, ``reports`` shows them, and ``session`` holds what all exercises have in common.
"""
