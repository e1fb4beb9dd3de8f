"""Gradescope's autograder: ``archive`` makes the zip, ``autograder`` runs where it was unpacked."""
