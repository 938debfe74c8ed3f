// The playground on the first page: lint, place and fleet, live. Browsers do not load modules of files, so a site without a server keeps the picture.
{
  const live = document.querySelector(".live");
  if (live && location.protocol !== "file:") {
    const shown = [["Lint", "broken-gpu"], ["Place", "lose-a-zone"], ["Fleet", "cheapest-fleet"]];
    const frame = document.createElement("iframe");
    frame.title = "bayplan in this page";
    const tabs = document.createElement("p");
    tabs.setAttribute("role", "group");
    tabs.setAttribute("aria-label", "Examples");
    const choose = (button, example) => {
      for (const one of tabs.children) one.setAttribute("aria-pressed", String(one === button));
      frame.src = `${live.dataset.page}?embed#e.${example}`;
    };
    for (const [name, example] of shown) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => choose(button, example));
      tabs.append(button);
    }
    live.append(tabs, frame);
    live.hidden = false;
    document.querySelector("article img")?.closest("p")?.setAttribute("hidden", "");
    // The program is loaded when a reader sees it.
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      choose(tabs.firstChild, shown[0][1]);
    }).observe(live);
  }
}
