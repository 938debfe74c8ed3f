import { BayplanError } from "./errors.mjs";

/// Fetches a WebAssembly.Module and compiles it while it downloads.
export async function compiled(source = new URL("./bayplan.wasm", import.meta.url)) {
  const response = await fetch(source);
  if (!response.ok) throw new BayplanError("not-loaded", `${source}: ${response.status} ${response.statusText}`);
  // Streaming compilation requires the media type of WebAssembly, which some servers do not send.
  const isKnown = (response.headers.get("content-type") || "").startsWith("application/wasm");
  return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
