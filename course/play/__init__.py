"""What a reader of the book can move: one fragment of HTML a lab, drawn from what the labs' own code computed.

``python -m course.play OUT`` writes ``OUT/lab_NN.html``, 01 for the lab; nothing in them asks any host.
"""
