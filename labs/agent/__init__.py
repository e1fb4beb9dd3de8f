"""An agent that runs on your own masks; README.md says how it works, and how you make it yours."""
