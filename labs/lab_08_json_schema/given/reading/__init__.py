"""Reading a schema: keywords, references, and the flat form that the compiler works on."""
