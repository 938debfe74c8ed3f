// The HTML page of a report, in a frame that has no access to this page: page.html writes it.
import { element } from "./elements.js";

/// Shows pages one after another at the same scroll position, each when it is complete.
export class Pages {
  constructor(host) {
    this.host = host;
    this.scroll = 0;
    this.next = null;
    addEventListener("message", ({ source, data }) => {
      const frame = [...host.children].find((one) => one.contentWindow === source);
      if (!frame) return;
      if (data.isShown && frame === this.next) this.shown(frame);
      else if (frame !== this.next && Number.isFinite(data.scroll)) this.scroll = data.scroll;
    });
  }

  /// Resolves to whether the page is shown; not if a later result replaces it.
  show(html, title, isSame) {
    this.next?.remove();
    this.settle?.(false);
    if (!isSame) this.scroll = 0;
    const frame = element("iframe", { title, src: "page.html", allow: "clipboard-write *" });
    frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox");
    frame.className = "waiting";
    frame.onload = () => frame.contentWindow.postMessage({ html, scroll: this.scroll }, "*");
    this.next = frame;
    this.host.append(frame);
    return new Promise((resolve) => (this.settle = resolve));
  }

  shown(frame) {
    for (const old of [...this.host.children]) if (old !== frame) old.remove();
    frame.className = "";
    this.next = null;
    this.settle(true);
  }

  clear() {
    this.host.replaceChildren();
    this.next = null;
    this.settle?.(false);
  }
}
