# Each line is one call of `python3 -m course`; where there is no make, type that call yourself.
PYTHON ?= python3
COMMANDS := demo test status doctor
# needs course/upkeep
COMMANDS += check bench book
# end

.PHONY: help $(COMMANDS)

help:
	@echo "make demo    a small language model, with and without masks: start here"
	@echo "make test    the tests of this copy"
# needs course/upkeep
	@echo "make check   everything: lint, types, notebooks, wrong answers"
	@echo "make bench   the labs' methods, one beside the other, in one run"
	@echo "make book    the book: all chapters as a web site, in out/book"
	@echo "make gradescope LAB=02   an autograder for Gradescope, in out/ (for instructors)"
# end
	@echo "make status  which labs pass with your own files"
	@echo "make doctor  what is installed on this machine, and what is missing"
	@echo "Each is: $(PYTHON) -m course COMMAND. Another Python: make PYTHON=python3.12 demo"

$(COMMANDS):
	@$(PYTHON) -m course $@
# needs course/upkeep

# The book in the Chromium of this system; needs requirements/check.txt in .venv, which `make check` puts there.
.PHONY: test-browser
test-browser:
	@$(PYTHON) -m course book --browser
# end
# needs course/teaching

.PHONY: gradescope
gradescope:
	@$(PYTHON) -m course gradescope $(or $(LAB),$(error which lab? make gradescope LAB=02))
# end
