// SPDX-License-Identifier: MIT
// Small helpers for the page's elements.

export const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (names that start with "on"), and children (texts or elements).
export function element(tag, attributes = {}, ...children) {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      result.addEventListener(name.slice(2), value);
    } else if (value === true || value === false) {
      result.toggleAttribute(name, value);
    } else {
      result.setAttribute(name, value);
    }
  }
  result.append(...children);
  return result;
}

export function setIcon(button, name, label) {
  button.querySelector('use').setAttribute('href', `#i-${name}`);
  button.setAttribute('aria-label', label);
  button.title = label;
}

export function setPressed(button, on) {
  button.setAttribute('aria-pressed', String(on));
}

// A cross that closes the dialog it is in.
export function closeButton(dialog) {
  const cross = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  cross.innerHTML = '<use href="#i-close"/>';
  return element('button', {
    class: 'icon close',
    'aria-label': 'Close',
    onclick: () => dialog.close(),
  }, cross);
}

// Buttons without a text show their label, and their key, when the pointer rests on them.
export function addTitles() {
  for (const button of document.querySelectorAll('button[aria-label]')) {
    const key = button.getAttribute('aria-keyshortcuts');
    button.title = button.getAttribute('aria-label') + (key ? ` (${key})` : '');
  }
}
