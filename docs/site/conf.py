"""Sphinx's settings of the site; scripts/site lays the pages out and runs it."""
import re

from docutils import nodes

project = "bayplan"
html_title = "bayplan"
copyright = ""

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
templates_path = ["templates"]
nitpicky = True
smartquotes = False  # options begin with two hyphens

# Headings get the anchors that code hosts give them, so that links between pages hold in both places.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

highlight_language = "text"
# The bad examples of rules are broken on purpose, and are then shown without colors.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_js_files = [("live.js", {"defer": "defer"}), ("search.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
# search.js fetches excerpts of found pages, but not of files, which browsers do not allow.
html_show_search_summary = False
pygments_style = "default"
pygments_dark_style = "github-dark"
html_theme_options = {
    "top_of_page_button": None,
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad", "font-stack--monospace": "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"},
    "dark_css_variables": {"color-brand-primary": "#7ab8ff", "color-brand-content": "#7ab8ff"},
}


def note_rules(app, doctree):
    """So that the search finds the page of a rule first, by its code or its name."""
    section = doctree.next_node(nodes.section)
    found = section and re.match(r"(BAY\d+): ", section.next_node(nodes.title).astext())
    if found:
        name = section.next_node(nodes.literal).astext()
        app.env.get_domain("std").note_object("rule", f"{found[1]} {name}", section["ids"][0])


def setup(app):
    app.add_object_type("rule", "rule", objname="rule")
    app.connect("builder-inited", lambda app: app.env.get_domain("std").object_types["rule"].attrs.update(searchprio=0))  # first
    app.connect("doctree-read", note_rules)
    return {"parallel_read_safe": True}
