import { BayplanError } from "./errors.mjs";

/// The WebAssembly.Module at an address, compiled while it arrives.
export async function compiled(source = new URL("./bayplan.wasm", import.meta.url)) {
  const response = await fetch(source);
  if (!response.ok) throw new BayplanError("not-loaded", `${source}: ${response.status} ${response.statusText}`);
  // Some servers do not know the type of .wasm, and compiling a stream requires it.
  const isKnown = (response.headers.get("content-type") || "").startsWith("application/wasm");
  return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
