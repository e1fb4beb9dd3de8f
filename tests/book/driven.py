"""What a hand does in a page."""


def settle(page):
    """Wait until the page has read what was typed; its timers keep their order even when the machine is busy."""
    page.evaluate("new Promise(done => setTimeout(done, 200))")


def slide(page, label, value):
    """Put a slider to a value, as a hand would."""
    page.get_by_label(label, exact=True).evaluate(
        "(range, value) => { range.value = value; range.dispatchEvent(new Event('input')); }", value
    )


def number_of(element):
    return int(element.inner_text().replace(",", ""))
