// SPDX-License-Identifier: MIT
// What the pages of the documentation can do: search, menu on small screens, copying of code, the place in
// the contents.
// One plain script, because pages that are opened from files can load no modules.
(() => {
  const root = document.currentScript.dataset.root;

  // ---- Search: sections in which all words begin a word; titles count most, the guide more than theory ----

  const input = document.querySelector('.search input');
  const list = document.querySelector('.found');

  function loadIndex(then) {
    if (document.withySearch) return then();
    const script = document.createElement('script');
    script.src = `${root}/assets/search.js`;
    script.onload = then;
    document.head.append(script);
    return undefined;
  }

  // Words of the reader, and what the documentation calls the same, or where it is.
  const SAME = {
    animation: 'view|3D',
    diff: 'compare',
    encastre: 'clamped|the ends',
    fixed: 'clamped|the ends',
    hinge: 'pinned|the ends',
    hinged: 'pinned|the ends',
    install: 'hello',
    installation: 'hello',
    python: 'what a run leaves',
    unit: 'SI',
    units: 'SI',
    video: 'view|3D',
  };

  // A word is found where a word or a part of a name begins with it, its synonym as a whole word only.
  function pattern(word) {
    const typed = word.replace(/[^\w]/g, '\\$&');
    const same = Object.hasOwn(SAME, word) ? `|(?:${SAME[word]})(?![a-z0-9])` : '';
    return `(?<![a-z0-9])(?:${typed}${same})`;
  }

  // Words and their patterns to points.
  function score([, page, title, text, keys, weight], words) {
    let sum = 0;
    for (const [word, found] of words) {
      const count = (where) => where.match(found)?.length ?? 0;
      const inside = count(text);
      const points = (title.toLowerCase() === word ? 20 : 0) + (count(title) ? 8 : 0)
        + (count(page) ? 4 : 0) + (keys.includes(word) ? 4 : 0) + (inside ? 1 + Math.min(2, inside / 4) : 0);
      if (points === 0) return 0;
      sum += points;
    }
    return sum * weight;
  }

  // A piece of the text around the first word, the words marked; built from nodes, so that text stays text.
  function excerpt(text, words) {
    const any = words.map(([, found]) => found.source).join('|');
    const place = Math.max(0, text.search(new RegExp(any, 'i')) - 50);
    const piece = (place ? '… ' : '') + text.slice(place, place + 160) + '…';
    const line = document.createElement('small');
    piece.split(new RegExp(`(${any})`, 'gi')).forEach((part, k) => {
      if (k % 2 === 0) return line.append(part);
      const mark = document.createElement('mark');
      mark.textContent = part;
      return line.append(mark);
    });
    return line;
  }

  function show() {
    const typed = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const words = typed.map((word) => [word, new RegExp(pattern(word), 'gi')]);
    list.replaceChildren();
    list.hidden = words.length === 0;
    if (list.hidden) return;
    const hits = document.withySearch
      .map((entry) => [score(entry, words), entry])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12);
    for (const [, [address, page, title, text]] of hits) {
      const link = document.createElement('a');
      link.href = `${root}/${address}`;
      const name = document.createElement('b');
      name.textContent = title === page ? page : `${title} · ${page}`;
      link.append(name, excerpt(text, words));
      list.append(link);
    }
    if (hits.length === 0) {
      const none = document.createElement('p');
      none.textContent = 'Nothing found.';
      list.append(none);
    }
  }

  function choose(step) {
    const links = [...list.querySelectorAll('a')];
    const old = links.findIndex((link) => link.classList.contains('chosen'));
    const now = Math.max(0, Math.min(links.length - 1, old + step));
    links.forEach((link, k) => link.classList.toggle('chosen', k === now));
    links[now]?.scrollIntoView({ block: 'nearest' });
  }

  input.addEventListener('focus', () => loadIndex(() => {}));
  input.addEventListener('input', () => loadIndex(show));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      choose(event.key === 'ArrowDown' ? 1 : -1);
      event.preventDefault();
    } else if (event.key === 'Enter') {
      (list.querySelector('a.chosen') ?? list.querySelector('a'))?.click();
    } else if (event.key === 'Escape') {
      list.hidden = true;
      input.blur();
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    input.focus();
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) list.hidden = true;
    if (event.target.closest('.found a')) list.hidden = true;
  });

  // ---- Menu ----

  const button = document.querySelector('.menu');
  button.addEventListener('click', () => {
    const open = document.body.classList.toggle('open');
    button.setAttribute('aria-expanded', String(open));
  });
  const current = document.querySelector('#menu [aria-current]');
  const menu = document.querySelector('#menu');
  if (current) menu.scrollTop = Math.max(0, current.offsetTop - menu.offsetTop - menu.clientHeight / 2);

  // ---- Contents: open where there is room for them, and following the reader ----

  const contents = document.querySelector('.contents');
  if (contents) {
    const roomy = window.matchMedia('(min-width: 1181px)');
    const fit = () => { contents.open = roomy.matches; };
    roomy.addEventListener('change', fit);
    fit();
    const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const follow = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 160);
      const here = (passed.at(-1) ?? headings[0])?.id;
      links.forEach((link, id) => link.classList.toggle('here', id === here));
    };
    document.addEventListener('scroll', follow, { passive: true });
    follow();
  }

  // ---- Copy ----

  for (const block of navigator.clipboard ? document.querySelectorAll('pre.code:not(.numbered)') : []) {
    const copy = document.createElement('button');
    copy.className = 'copy';
    copy.textContent = 'copy';
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      copy.textContent = 'copied';
      setTimeout(() => { copy.textContent = 'copy'; }, 1500);
    });
    block.append(copy);
  }
})();
