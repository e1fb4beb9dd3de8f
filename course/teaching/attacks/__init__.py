"""``python3 -m course grade --self-test``: hostile submissions, run on this machine in every sandbox that it offers.

``bank`` has the submissions, ``arena`` what they may harm; ``runs`` has the grader grade them and sees what they have
done, and ``show`` prints the table.
"""
