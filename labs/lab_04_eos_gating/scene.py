"""What ``python3 -m course show 04`` plays: EOS is a token like the others, and the mask says when it is legal."""

from labkit.scenes import CharacterOracle, Oracle, PreparedSteps, Scene, check_expression


def oracle(scene: Scene) -> Oracle:
    """Return lab 02's automaton as a judge."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    return CharacterOracle(compile_pattern(scene.grammar), scene.vocabulary)


SCENE = Scene(PreparedSteps, oracle, judged_by=("lab_02_atom_fsm",))
