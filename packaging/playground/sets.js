// A set of files with the open one, the command and its options: kept in the browser, and in links.

const LINK_LIMIT = 60_000; // Characters; chat and mail programs truncate longer addresses.
const UNPACKED_LIMIT = 16 * 1024 * 1024; // Bytes; the program reads no larger file.
const KEPT_AS = "bayplan-playground";
export const COMMANDS = ["lint", "fit", "place", "whatif", "fleet"];

/// Returns the text as the editor keeps it: positions of findings count lines that end with \n, without a byte order mark.
export function normalized(text) {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

/// Returns a set as the page uses it, from any source; null if it is not one.
export function checked(set) {
  if (!set || typeof set.files !== "object" || set.files === null) return null;
  const files = Object.entries(set.files);
  const isWhole = files.length > 0 && files.every(([name, text]) => name !== "" && typeof text === "string") && COMMANDS.includes(set.command);
  if (!isWhole) return null;
  const flags = COMMANDS.map((command) => [command, set.flags?.[command]]).filter(([, words]) => typeof words === "string");
  return {
    files: Object.fromEntries(files.map(([name, text]) => [name, normalized(text)])),
    active: Object.hasOwn(set.files, set.active) ? set.active : files[0][0],
    command: set.command,
    flags: Object.fromEntries(flags),
  };
}

/// A set that is too large for the browser is not kept, and neither is the one before it.
export function keep(set) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(set));
  } catch {
    try {
      localStorage.removeItem(KEPT_AS);
    } catch {
      // The browser keeps nothing.
    }
  }
}

export function kept() {
  try {
    return checked(JSON.parse(localStorage.getItem(KEPT_AS)));
  } catch {
    return null;
  }
}

/// Compresses or decompresses the bytes with the stream. Rejects a short link that expands to gigabytes.
async function passed(bytes, stream) {
  const parts = [];
  let size = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > UNPACKED_LIMIT) throw new RangeError("too large");
    parts.push(value);
  }
}

function base64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/// Returns the part of a link after the #, which browsers do not send; null if it would be too long.
export async function linkOf(set) {
  const bytes = new TextEncoder().encode(JSON.stringify(set));
  const fragment = typeof CompressionStream === "undefined" ? `j.${base64(bytes)}` : `d.${base64(await passed(bytes, new CompressionStream("deflate-raw")))}`;
  return fragment.length > LINK_LIMIT ? null : fragment;
}

/// Throws or returns null if the link is damaged.
export async function linked(fragment) {
  const [kind, letters] = [fragment.slice(0, 2), fragment.slice(2)];
  if (kind !== "j." && kind !== "d.") return null;
  const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  return checked(JSON.parse(new TextDecoder().decode(kind === "j." ? bytes : await passed(bytes, new DecompressionStream("deflate-raw")))));
}
