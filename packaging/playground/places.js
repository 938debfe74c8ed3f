// Positions in a text. Findings count code points in lines, and bytes of UTF-8 in fixes; the editor counts UTF-16 code units.

export class Places {
  constructor(text) {
    this.text = text;
    this.lines = text.split("\n");
    this.starts = [];
    let start = 0;
    for (const line of this.lines) {
      this.starts.push(start);
      start += line.length + 1;
    }
    this.last = { line: "", units: null };
  }

  line(number) {
    return this.lines[number - 1] ?? "";
  }

  /// UTF-16 code units before a column of a line. Keeps what it counted of the last line: a single line can be a large file with hundreds of
  /// findings.
  before(number, column) {
    const line = this.line(number);
    if (line !== this.last.line) {
      this.last = { line, units: null };
      if (/[\ud800-\udfff]/.test(line)) {
        const units = [0];
        for (const letter of line) units.push(units.at(-1) + letter.length);
        this.last.units = units;
      }
    }
    return Math.min(this.last.units?.[column - 1] ?? column - 1, line.length);
  }

  offset(line, column) {
    const start = this.starts[line - 1] ?? this.text.length;
    return Math.min(this.text.length, start + this.before(line, column));
  }

  /// The range of a finding; at least one letter, so that it can be seen.
  range({ line, column, endLine, endColumn }) {
    const from = this.offset(line, column);
    const to = endLine === undefined ? from : this.offset(endLine, endColumn);
    if (to > from) return { from, to };
    return from < this.text.length && this.text[from] !== "\n" ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
  }

  /// The edits of a fix as changes of the editor.
  changes(edits) {
    this.bytes ??= new TextEncoder().encode(this.text);
    const isPlain = this.bytes.length === this.text.length;
    const at = (offset) => (isPlain ? offset : new TextDecoder().decode(this.bytes.subarray(0, offset)).length);
    return edits.map(({ offset, length, text }) => ({ from: at(offset), to: at(offset + length), insert: text }));
  }
}
