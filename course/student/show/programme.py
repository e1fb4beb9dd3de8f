"""Who plays a lab, and who judges. What later labs need is imported for them alone: a handed-out copy may lack it."""

from course.student.core.edition import without_reference
from course.student.show.act import Act
from course.student.show.acts import Budgeted, Gated, Lifted, Naive, Walked
from course.student.show.referee import NoReferee, Referee
from course.student.show.scene import Scene

PLAYED = (*range(1, 9), 14)
"""The labs of the theatre."""


def played(upto: int) -> str:
    """In words, which of the labs up to a number are played.

    >>> played(1), played(5), played(14)
    ('lab 01', 'labs 01 to 05', 'labs 01 to 08, and 14')
    """
    run = [number for number in PLAYED if number <= upto]
    single = [number for number in run if number - 1 not in run and number > 1]
    last = max(number for number in run if not single or number < single[0])
    first = "lab 01" if last == 1 else f"labs 01 to {last:02}"
    return ", and ".join([first, *(f"{number:02}" for number in single)])


_EARLY: dict[int, type[Act]] = {1: Naive, 2: Walked, 3: Lifted, 4: Gated, 5: Budgeted}
_JUDGED_BY = {1: (1,), 2: (1, 2), 3: (1, 2), 4: (1, 2), 5: (1, 2), 6: (6,), 7: (6, 7), 8: (6, 8), 14: (6, 7)}
"""The labs whose references know what is right."""


def act_of(number: int) -> type[Act]:
    """The act of a lab, by its number.

    >>> act_of(3).__name__, act_of(8).__name__
    ('Lifted', 'Described')
    """
    if number in _EARLY:
        return _EARLY[number]
    if number == 7:
        from course.student.show.packed import Packed

        return Packed
    if number == 14:
        from course.student.show.on_device import OnDevice

        return OnDevice
    from course.student.show.compiled import Compiled, Described

    return Compiled if number == 6 else Described


def referee_of(scene: Scene) -> Referee | NoReferee:
    """Who judges; nobody does where the references were not handed out.

    Raises:
        ValueError: see ``Referee``.
    """
    if without_reference(_JUDGED_BY[scene.lab.number]):
        return NoReferee(scene)
    if scene.lab.number in (7, 14):
        from course.student.show.byte_referee import ByteReferee

        return ByteReferee(scene)
    return Referee(scene)
