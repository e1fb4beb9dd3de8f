"""What a test run of a lab does beyond pytest: choosing the file under test, outcomes, banner, failure messages."""
