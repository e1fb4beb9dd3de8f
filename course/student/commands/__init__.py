"""What a student asks for: hint, next, diff, reset, status, doctor, properties, practice."""
