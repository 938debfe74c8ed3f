// The editor: CodeMirror with one state a file, so that each file has its own history. scripts/playground bundles it.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { hcl } from "codemirror-lang-hcl";

// The colors are variables of playground.css, for light and dark systems.
const COLORS = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName, tags.variableName], color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--number)" },
  { tag: [tags.keyword, tags.typeName, tags.tagName, tags.function(tags.variableName)], color: "var(--keyword)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]));

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--field)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "var(--line-now)" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--line-now)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--chosen)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--chosen)" },
  ".cm-searchMatch": { backgroundColor: "var(--chosen)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-textfield, .cm-button": { color: "var(--ink)", background: "var(--field)", border: "1px solid var(--line)" },
  ".cm-foldPlaceholder": { color: "var(--soft)", backgroundColor: "var(--paper)", borderColor: "var(--line)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--line)", borderRadius: "6px", maxWidth: "min(34rem, 90vw)", boxShadow: "0 4px 16px #0003" },
  ".cm-diagnostic": { padding: "0.4rem 0.7rem", borderLeftWidth: "4px" },
  ".cm-diagnostic a": { color: "var(--accent)" },
  ".cm-diagnostic p": { margin: "0.15rem 0" },
  ".cm-diagnostic .help, .cm-diagnostic .related": { color: "var(--soft)", listStyle: "none", padding: "0" },
  ".cm-diagnostic .place": { padding: "0", background: "none", border: "0", color: "var(--accent)", font: "inherit", fontFamily: "var(--code)", textDecoration: "underline", cursor: "pointer" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--soft)" },
  ".cm-diagnosticAction": { font: "inherit", color: "var(--on-accent)", backgroundColor: "var(--accent)", borderRadius: "5px", padding: "0.1rem 0.6rem", margin: "0.3rem 0.4rem 0 0" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--error) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warning) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted var(--soft) 2px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
});

function language(name, text) {
  if (/\.(tf|hcl|tfvars)$/i.test(name)) return hcl();
  return /\.json$/i.test(name) || /^\s*[{[]/.test(text.slice(0, 1000)) ? json() : yaml();
}

function labeled(name) {
  return EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
}

/// The smallest change that makes one text of another, so that the cursor stays where it is.
function change(before, after) {
  const shortest = Math.min(before.length, after.length);
  let [same, end] = [0, 0];
  while (same < shortest && before[same] === after[same]) ++same;
  while (end < shortest - same && before[before.length - 1 - end] === after[after.length - 1 - end]) ++end;
  return { from: same, to: before.length - end, insert: after.slice(same, after.length - end) };
}

export class Editor {
  /// `typed(name, text)` is called for every change. The editor is in a shadow tree: there it needs no style element, which the content
  /// security policy of the page does not allow.
  constructor(host, typed) {
    this.typed = typed;
    this.name = null;
    this.states = new Map();
    this.language = new Compartment();
    this.label = new Compartment();
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.view = new EditorView({ parent: root, root });
    host.view = this.view; // for consoles and tests
  }

  extensions(name, text) {
    return [
      this.language.of(language(name, text)), this.label.of(labeled(name)),
      lineNumbers(), foldGutter(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), dropCursor(), indentOnInput(), bracketMatching(),
      highlightActiveLine(), highlightActiveLineGutter(), search({ top: true }), COLORS, LOOK,
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.typed(this.name, update.state.doc.toString());
      }),
    ];
  }

  /// Shows a file. Its state is kept while its text is the one that the editor had.
  open(name, text) {
    if (this.name !== null) this.states.set(this.name, { state: this.view.state, scroll: this.view.scrollSnapshot() });
    const before = this.states.get(name);
    const isKept = before && before.state.doc.toString() === text;
    this.name = name;
    this.view.setState(isKept ? before.state : EditorState.create({ doc: text, extensions: this.extensions(name, text) }));
    if (isKept) this.view.dispatch({ effects: before.scroll });
  }

  /// Drops what was kept of files that are replaced.
  forget(names) {
    for (const name of names) this.states.delete(name);
    if (names.includes(this.name)) this.name = null;
  }

  /// Closes all files.
  clear() {
    this.states.clear();
    this.name = null;
  }

  /// Gives the open file another name, and with it perhaps another language.
  rename(fresh) {
    this.states.delete(this.name);
    this.name = fresh;
    const text = this.view.state.doc.toString();
    this.view.dispatch({ effects: [this.language.reconfigure(language(fresh, text)), this.label.reconfigure(labeled(fresh))] });
  }

  replace(text) {
    this.view.dispatch({ changes: change(this.view.state.doc.toString(), text), userEvent: "input.fix" });
  }

  apply(changes) {
    this.view.dispatch({ changes, userEvent: "input.fix" });
  }

  mark(diagnostics) {
    const end = this.view.state.doc.length;
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.filter(({ to }) => to <= end)));
  }

  select({ from, to }) {
    const end = this.view.state.doc.length;
    const range = EditorSelection.range(Math.min(from, end), Math.min(to, end));
    this.view.dispatch({ selection: { anchor: range.anchor, head: range.head }, effects: EditorView.scrollIntoView(range, { y: "center" }) });
    this.view.focus();
  }

  focus() {
    this.view.focus();
  }
}
