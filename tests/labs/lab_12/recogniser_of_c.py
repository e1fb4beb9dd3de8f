"""A recogniser of the small C in ``c.gbnf``: an expression of the package ``regex``, whose groups call one another."""

import regex

PROGRAM = regex.compile(
    r"""
    (?&function)+
    (?(DEFINE)
      (?<function> (?&variable) \( (?: (?&variable) (?: ,\ (?&variable) )* )? \)\  (?&block) )
      (?<variable> (?: int | long | char )\ \*? (?&name) )
      (?<block> \{\n (?&statement)* \}\n )
      (?<statement>
        (?&block)
        | if\ \( (?&expression) \)\  (?&block) (?: else\  (?&block) )?
        | while\ \( (?&expression) \)\  (?&block)
        | for\ \( (?&expression)? ;\  (?&expression)? ;\  (?&expression)? \)\  (?&block)
        | (?: return (?: \  (?&expression) )? | break | continue | (?&variable) (?: \ =\  (?&expression) )? ) ;\n
        | (?&expression) ;\n
      )
      (?<expression> (?&target) \ [-+]?=\  (?&expression) | (?&choice) )
      (?<target> \** (?&name) (?&index)* )
      (?<index> \[ (?&expression) \] )
      (?<choice> (?&binary) (?: \ \?\  (?&expression) \ :\  (?&choice) )? )
      (?<binary> (?&unary) (?: \ (?: \|\| | && | [!=<>]= | [-+*/%<>] )\  (?&unary) )* )
      (?<unary> [!~*] (?&unary) | -? (?&primary) | & (?&target) )
      (?<primary>
        0 | [1-9][0-9]{0,8} | '(?: [\x20-\x7e--['\\]] | \\[nrt0'\\] )' | \( (?&expression) \)
        | (?&name) (?: (?&index) | \( (?: (?&expression) (?: ,\ (?&expression) )* )? \) )*
      )
      (?<name> v[a-z0-9_]* )
    )
    """,
    regex.VERBOSE | regex.VERSION1,
)
"""The levels of the operators are left out: which texts are programs does not depend on what binds tighter."""


def is_program(text):
    """Return whether a text is a program of the small C."""
    return PROGRAM.fullmatch(text) is not None
