# Each line is one call of `python -m course`; where there is no make, type that call yourself.
PYTHON ?= python3
COMMANDS := demo test check bench status doctor

.PHONY: help gradescope $(COMMANDS)

help:
	@echo "make demo    the main job, on a real vocabulary: start here"
	@echo "make test    the labs' references and the house itself, without notebooks"
	@echo "make check   everything: lint, types, notebooks, wrong answers"
	@echo "make bench   the course's ways, and its engine beside today's, in one run"
	@echo "make status  which labs pass with your own files"
	@echo "make doctor  what is installed on this machine, and what is missing"
	@echo "make gradescope LAB=02   an autograder for Gradescope, in out/ (for instructors)"
	@echo "Each is: $(PYTHON) -m course COMMAND. Another Python: make PYTHON=python3.12 demo"

$(COMMANDS):
	@$(PYTHON) -m course $@

gradescope:
	@$(PYTHON) -m course gradescope $(or $(LAB),$(error which lab? make gradescope LAB=02))
