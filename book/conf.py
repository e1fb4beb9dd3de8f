"""Sphinx's settings for the book. ``build.py`` writes the pages and calls Sphinx; nothing here names a host."""

import os
from pathlib import Path

from labkit.pictures import palette

here = Path(__file__).parent
project = "Mask the Logits"
html_title = project + (", instructors' edition" if os.environ.get("BOOK_EDITION") == "instructors" else "")
extensions = ["myst_nb"]
nb_execution_mode = "off"  # the notebooks have their outputs; a test runs them anew
nb_code_prompt_show, nb_code_prompt_hide = "Imports and set-up", "Imports and set-up"
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "attrs_inline"]
highlight_language = "none"
smartquotes = False
html_theme = "furo"
serif = '"Source Serif 4", Charter, "Bitstream Charter", "Iowan Old Style", Georgia, serif'
mono = '"Source Code Pro", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'
fonts = {"font-stack": "system-ui, sans-serif", "font-stack--headings": serif, "font-stack--monospace": mono}
colours = {
    "brand-primary": palette.ACCENT,
    "brand-content": palette.ACCENT,
    "brand-visited": palette.ACCENT,
    "foreground-primary": palette.INK,
    "foreground-secondary": palette.MUTED,
    "foreground-muted": palette.MUTED,
    "background-primary": palette.PAGE,
    "background-secondary": palette.Colour(palette.FILL.light, palette.BACK.dark),
    "code-background": palette.Colour(palette.FILL.light, palette.BACK.dark),
    "background-border": palette.LINE,
    "allowed": palette.ALLOWED,
    "struck": palette.STRUCK,
}
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {**fonts, **{f"color-{name}": colour.light for name, colour in colours.items()}},
    "dark_css_variables": {f"color-{name}": colour.dark for name, colour in colours.items()},
}
templates_path = ["templates"]
html_static_path = ["static"]
html_extra_path = [os.environ["BOOK_FILES"]]  # the notebooks' pictures, as files beside their pages
html_favicon = str(here.parent / "course/play/icon.svg")
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_search_scorer = str(here / "static/scorer.js")
html_use_index = False  # its entries are for the search alone
html_copy_source = False
html_show_copyright = html_show_sphinx = False
html_permalinks_icon = "#"
