'use strict';
// A page of more than two screens begins with links to its sections, and marks the one in sight. How long a page is, is
// known when all views have drawn.
(() => {
  const kFewest = 3;
  const sections = [...document.querySelectorAll('main > section')];
  const links = sections.map((section) => make('a', {href: `#${section.id}`}, section.querySelector('h2').textContent));
  const list = make('ul', {}, ...links.map((link) => make('li', {}, link)));
  const nav = make('nav', {class: 'contents', 'aria-label': 'Contents'}, list);
  document.querySelector('main').prepend(nav);

  const markCurrent = () => {
    const edge = nav.getBoundingClientRect().bottom + 24;
    const current = sections.findLastIndex((section) => section.getBoundingClientRect().top <= edge);
    links.forEach((link, index) => {
      if (index !== current) return link.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
      list.scrollLeft += link.getBoundingClientRect().left - list.getBoundingClientRect().left - list.clientWidth / 3;
    });
  };
  const update = onceAFrame(() => {
    const rest = document.documentElement.scrollHeight - (nav.hidden ? 0 : nav.offsetHeight);
    nav.hidden = sections.length < kFewest || rest <= 2 * innerHeight;
    if (!nav.hidden) markCurrent();
  });
  new ResizeObserver(update).observe(document.body);
  addEventListener('resize', update);
  addEventListener('scroll', update, {passive: true});
  update();

  // A link that leads into what is folded opens it.
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target && target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  unfold();
})();
