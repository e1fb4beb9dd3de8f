"""What every lab is given: data types, errors, vocabularies, models, pictures, stories of failures.

Nothing here knows a lab, and nothing here is an exercise.
"""
