"""What lab 12's reader of GBNF and its stacks say: the oracle of ``grammar.test.mjs``."""

from random import Random

from labkit.errors import InvalidGrammar
from labs.lab_12_pushdown.given.gbnf import read_gbnf, shipped
from labs.lab_12_pushdown.given.stacks import END, items_of, stacks_of
from labs.lab_12_pushdown.scene import GRAMMAR
from labs.lab_12_pushdown.solution import Rules, call_closure, step

READ = [
    *map(shipped, ("arithmetic", "brackets", "c", "json", "sql")),
    GRAMMAR,
    'root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"',
    'root ::= "[" root? "]"',
    'root ::= x | y  x ::= "[" root "]" | "x"  y ::= "[" root ")" | "[]"',
    'root ::= "The " [A-Za-z ]+ "." (" " root)?',
    'root ::= root "+" term | term  term ::= "1" | "(" root ")"',
    'root ::= right  right ::= "a" right | "b"',
    'root ::= "(" rest # one (\n rest ::= root* ")"\n',
    'root ::= "<" 1a-kv -_ ">" 1a-kv ::= [0-9] -_ ::= "-"? root?',
    'root ::= "é" root "日" | "😀" [д-я]{2,3}',
    r'root ::= "\x41\u00e9\U0001F600" [^\n\x61-c\]-] . [\x5ea-] root?',
    'root ::= "a" { 1 , 2 } "b"{2,} ("c"{0} | "d"{3}) root*',
    'root ::= list  list ::= "0" "," list | "0"',
    'root ::= a*  a ::= "x" a "y" | b  b ::= "z"? c  c ::= "(" root ")"',
    'root ::= ("" | "a") ("b" | ) root2?  root2 ::= "c" root',
    'root ::= [ \\n]* ("{" [ \\n]* ("\\"" [a-zé]* "\\"" root)? "}" | [0-9]+)',
    'root ::= a a a  a ::= "a" a "a" | "a"',
]
REFUSED = [
    *(
        "",
        "a ::= b",
        "root",
        'root ::= "a" )',
        'root ::= ("a"',
        'root ::= "a',
        "root ::= [a",
        "root ::= a{",
        "root ::= $",
    ),
    *(
        "root ::= é",
        "root ::= '",
        "root ::= *",
        "root ::= | +",
        'root ::= "a"{3,2}',
        'root ::= "\\q"',
        "root ::= [\\@]",
    ),
    *(
        'root ::= "\\x4"',
        'root ::= "\\u12"',
        'root ::= "\\U0000004"',
        "root ::= [z-a]",
        "root ::= [я-д]",
        "root ::= []",
    ),
    *("root ::= [\\uD800]", 'root ::= "\\U00110000"', "root ::= a", 'root ::= "日" b\n  a ::= "c" d\n', '"a"'),
    *(
        'root ::= "a" root ::= "b"',
        'x ::= "a"',
        'root ::= "😀" \\',
        "root ::= [^\\x00-\\U0010ffff]",
        "root ::= a\na ::= (b\nb ::= c",
    ),
]


def oracle(folder):
    rng = Random(12)
    return {
        "read": [
            {"source": source, "names": read_gbnf(source).names, "texts": texts_of(source, rng)} for source in READ
        ],
        "refused": [{"source": source, **refusal_of(source)} for source in REFUSED],
    }


def refusal_of(source):
    """The reader's words, and the line and column as a position."""
    try:
        read_gbnf(source)
    except InvalidGrammar as refused:
        start = sum(len(line) for line in source.splitlines(keepends=True)[: refused.line - 1])
        return {"problem": refused.problem, "place": start + refused.column - 1}
    raise AssertionError(f"this is read: {source}")


def texts_of(source, rng):
    """Random texts, each up to the first character that is refused: after how many, and what the last stacks are."""
    rules, chars = Rules(read_gbnf(source)), sorted({*source, *"a1 é日😀д\n"} - {"\\"})
    cases = []
    for _ in range(12):
        text, kernel = random_text(rules, chars, rng, rng.randrange(1, 14))
        stacks = stacks_of(kernel)
        cases.append(
            {
                "text": text,
                "ends": (END,) in stacks,
                "stacks": len(stacks),
                "boxes": sum(len(stack) - 1 for stack in stacks),
                "next": [char for char in chars if kernel_after(rules, kernel, char)],
                "chars": chars,
            }
        )
    return cases


def kernel_after(rules, kernel, char):
    for byte in char.encode():
        kernel = step(rules, call_closure(rules, [item for item in kernel if item[0] != END]), byte)
    return kernel


def random_text(rules, chars, rng, most):
    """A text of at most so many characters that the rules read, and the kernel after it."""
    kernel, text = items_of([(rules.initial[0], END)]), ""
    for _ in range(most):
        after = {char: kernel_after(rules, kernel, char) for char in chars}
        alive = [char for char in chars if after[char]]
        if not alive:
            break
        text += (char := rng.choice(alive))
        kernel = after[char]
    return text, kernel
