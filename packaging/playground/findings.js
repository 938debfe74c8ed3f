// Findings as a list, and as marks of the editor.
import { button, element } from "./elements.js";

const SHOWN = 200; // Findings; a file can have as many as it has values.
const SHORT = 40; // Characters of a fix that its button names.

/// The page of the rule, next to the playground in the site; the other codes, of house rules, have none.
function ruleOf({ code, rule }) {
  const name = `${code} ${rule}`;
  if (!/^BAY\d+$/.test(code)) return element("span", { className: "rule" }, name);
  return element("a", { className: "rule", href: `../docs/checks/${code}.html`, target: "_blank", rel: "noopener" }, name);
}

function fixName({ safe, edits }) {
  const [{ length, text }] = edits;
  const fresh = text.trim();
  const isShort = edits.length === 1 && fresh.length <= SHORT && !fresh.includes("\n");
  const name = !isShort ? "Fix" : fresh === "" ? "Delete" : length === 0 ? `Insert ${fresh}` : `Replace with ${fresh}`;
  return safe ? name : `${name} (check the result)`;
}

/// The line with carets below it, cut to fit.
function excerpt(finding, places) {
  const line = places.line(finding.line);
  const begin = places.before(finding.line, finding.column);
  const end = Math.max(begin + 1, finding.endLine === finding.line ? places.before(finding.line, finding.endColumn) : line.length);
  const from = begin > 60 ? begin - 40 : 0;
  const to = from + 110;
  const shown = line.slice(from, to).replaceAll("\t", " ");
  const number = String(finding.line).padStart(4);
  const carets = "^".repeat(Math.max(1, Math.min(end, to) - begin));
  return element("pre", { tabIndex: 0 }, `${number} | ${shown}\n     | ${" ".repeat(begin - from)}`, element("mark", {}, carets));
}

/// `go(file, place)` opens a file at a place; `fix(finding)` applies its fix.
function relatedOf(finding, go) {
  if (finding.related.length === 0) return null;
  return element("ul", { className: "related" }, ...finding.related.map((place) => element("li", {},
    button(`${finding.file}:${place.line}`, () => go(finding.file, place), "place"), ` ${place.message}`)));
}

export function findingItem(finding, places, { go, fix }) {
  return element("li", { className: `finding ${finding.severity}` },
    element("p", { className: "head" }, element("span", { className: "severity" }, finding.severity), " ", ruleOf(finding), " ",
      button(`${finding.file}:${finding.line}:${finding.column}`, () => go(finding.file, finding), "place")),
    element("p", { className: "message" }, finding.message),
    excerpt(finding, places),
    finding.help ? element("p", { className: "help" }, finding.help) : null,
    relatedOf(finding, go),
    finding.fix ? button(fixName(finding.fix), () => fix(finding), "fix") : null);
}

/// Findings of the open file first.
export function findingList(findings, active, placesOf, actions) {
  const sorted = [...findings.filter(({ file }) => file === active), ...findings.filter(({ file }) => file !== active)];
  const list = element("ol", { className: "findings" }, ...sorted.slice(0, SHOWN).map((one) => findingItem(one, placesOf(one.file), actions)));
  const more = sorted.length - SHOWN;
  return more > 0 ? [list, element("p", {}, `and ${more} more`)] : [list];
}

const MARKED = { error: "error", warning: "warning", info: "info", style: "info" };

/// Findings as the editor marks them, with what its tooltip shows.
export function diagnostics(findings, places, { go, fix }) {
  return findings.slice(0, SHOWN).map((finding) => ({
    ...places.range(finding),
    severity: MARKED[finding.severity],
    message: `${finding.severity} ${finding.code}: ${finding.message}`,
    renderMessage: () => element("div", {}, element("p", {}, `${finding.severity} `, ruleOf(finding)), element("p", {}, finding.message),
      finding.help ? element("p", { className: "help" }, finding.help) : null, relatedOf(finding, go)),
    actions: finding.fix ? [{ name: fixName(finding.fix), apply: () => fix(finding) }] : [],
  })).sort((one, other) => one.from - other.from);
}

export function countWords({ error, warning, info, style }) {
  const counted = [[error, "error"], [warning, "warning"], [info, "note"], [style, "style"]].filter(([count]) => count > 0);
  return counted.map(([count, word]) => `${count} ${count === 1 || word === "style" ? word : `${word}s`}`).join(", ");
}
