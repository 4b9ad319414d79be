// SPDX-License-Identifier: MIT
// Keys, in one table that is also the help.
import { byId, closeButton, element } from './dom.js';

// Elements that use the keys themselves; the slider of the time leaves them to the page.
function typing(target) {
  return target.closest('select, textarea, input:not(#scrub):not([type=checkbox])') !== null;
}

// A button takes space and enter for itself.
function pressing(event) {
  return event.key === ' ' && event.target.closest('button, summary, input[type=checkbox]') !== null;
}

// Somebody who has clicked on a button or chosen from a menu wants the keys of the page next.
function giveKeysBack() {
  let byPointer = false;
  document.addEventListener('pointerdown', () => { byPointer = true; }, true);
  document.addEventListener('keydown', () => { byPointer = false; }, true);
  for (const kind of ['click', 'change']) {
    document.addEventListener(kind, (event) => {
      const control = event.target.closest('button, select, input, summary');
      if (byPointer && control && !(kind === 'click' && control.matches('select, input[type=range]'))) {
        control.blur();
      }
    });
  }
}

function showHelp(dialog, table) {
  const rows = table.map(([keys, , text]) => element('div', {},
    element('dt', {}, ...keys.flatMap((key, i) => [i ? ' ' : '', element('kbd', {}, key[1])])),
    element('dd', {}, text)));
  dialog.append(closeButton(dialog), element('h2', { id: 'help-title' }, 'Keys'), element('dl', {}, ...rows),
    element('h3', {}, 'Pointer'),
    element('p', {}, 'Drag to turn, drag with the right button (or two fingers) to move, wheel or pinch to '
      + 'zoom. Point at a rod to see its values. Drag in a chart to move through time.'));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
}

// table: rows of [[[key, how it is shown], ...], action(event), what it does].
export function createKeyboard(table) {
  const help = byId('help');
  const toggleHelp = () => (help.open ? help.close() : help.showModal());
  const rows = [...table, [[['?', '?']], toggleHelp, 'these keys']];
  const actions = new Map(rows.flatMap(([keys, action]) => keys.map(([key]) => [key, action])));

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || pressing(event)) {
      return;
    }
    const action = actions.get(event.key) ?? actions.get(event.key.toLowerCase());
    if (action && (!document.querySelector('dialog[open]') || action === toggleHelp)) {
      action(event);
      event.preventDefault();
    }
  });
  byId('help-open').addEventListener('click', toggleHelp);
  showHelp(help, rows);
  giveKeysBack();
}
