"""What every lab is given: data types, errors, vocabularies, models, pictures and the checks of its tests.

Nothing here knows a lab, and nothing here is an exercise.
"""
