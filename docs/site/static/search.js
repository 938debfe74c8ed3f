// On top of the search of Sphinx: each page once, with an excerpt where browsers allow to fetch pages (not of files).
{
  const results = document.getElementById("search-results");
  const pageOf = (item) => item.querySelector("a").href.split(/[?#]/)[0];
  const words = (new URLSearchParams(location.search).get("q") ?? "").split(/\s+/).filter(Boolean);
  const addExcerpt = async (item) => {
    const answer = await fetch(pageOf(item));
    const excerpt = answer.ok ? Search.makeSearchSummary(await answer.text(), new Set(words)) : null;
    if (!excerpt) return;
    item.querySelector(":scope > span")?.remove(); // "(rule, in BAY113: ...)"
    item.append(excerpt);
  };
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      addExcerpt(target);
    }
  });
  const known = new Set();
  const sort = () => {
    for (const item of results.querySelectorAll("ul.search > li:not([data-page])")) {
      item.dataset.page = pageOf(item);
      if (known.has(item.dataset.page)) {
        item.remove();
        continue;
      }
      known.add(item.dataset.page);
      if (location.protocol !== "file:") seen.observe(item);
    }
    const summary = results.querySelector(".search-summary");
    const count = /found (\d+) page/.exec(summary?.textContent ?? "");
    if (count && Number(count[1]) !== known.size) summary.textContent = `${known.size} ${known.size === 1 ? "page" : "pages"}`;
  };
  if (results) new MutationObserver(sort).observe(results, { childList: true, subtree: true, characterData: true });
}
