"""Running untrusted files: a worker process behind a pipe, confined by a sandbox."""
