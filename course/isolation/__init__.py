"""Running a file that nobody trusts: a worker process behind a pipe, confined by a sandbox."""
