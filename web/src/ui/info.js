// SPDX-License-Identifier: MIT
// About the run: title, what went wrong, notes, facts, settings and the scenario.
import { byId, closeButton, element } from './dom.js';

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function subtitle(run) {
  const strands = run.strands.reduce((sum, group) => sum + (group.batch ? 0 : group.count), 0);
  const batched = run.strands.reduce((sum, group) => sum + (group.batch?.count ?? 0), 0);
  return [
    run.analysis,
    run.rods.length + batched ? plural(run.rods.length + batched, 'rod') : '',
    run.bodies.length ? `${run.bodies.length} ${run.bodies.length === 1 ? 'body' : 'bodies'}` : '',
    strands ? plural(strands, 'strand') : '',
    run.obstacles.length ? plural(run.obstacles.length, 'obstacle') : '',
    run.modes.length ? plural(run.modes.length, 'mode') : '',
  ].filter(Boolean).join(', ');
}

// What must be said about a run that did not end well; '' for all others.
export function warning(run) {
  switch (run.status) {
    case 'failed':
      return run.message ? `The run failed: ${run.message}` : 'The run failed.';
    case 'wrong':
      return run.message ? `The result is wrong: ${run.message}` : 'The result is wrong.';
    case 'interrupted':
      return 'The run was interrupted: the page shows what was computed until then.';
    case null:
    case undefined:
      return 'The run has no summary: it was stopped before its end, or is still going.';
    default:
      return '';
  }
}

// Copies by the old way too, as pages from a file have no clipboard everywhere.
async function copy(text, box) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    window.getSelection().selectAllChildren(box);
    document.execCommand('copy');
  }
}

function textBlock(title, text) {
  const box = element('pre', { tabindex: 0 }, text);
  const button = element('button', {
    class: 'text',
    async onclick() {
      await copy(text, box);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    },
  }, 'Copy');
  return [element('div', { class: 'heading' }, element('h3', {}, title), button), box];
}

// Notes of the data, and what the page itself has to add.
function notesOf(run) {
  const thin = run.rods.filter((rod) => rod.thin).map((rod) => rod.name);
  const chosen = thin.length === 0 ? [] : [thin.length === run.rods.length
    ? 'The radius is not known; the one drawn was chosen.'
    : `The radius of ${thin.join(', ')} is not known; the one drawn was chosen.`];
  return [...run.notes, ...chosen];
}

export function createInfo(run) {
  const dialog = byId('info');
  const said = warning(run);
  const notes = notesOf(run);
  document.title = `${run.title} \u2013 withy`;
  byId('title').textContent = run.title;
  byId('title').title = run.title;
  byId('subtitle').textContent = subtitle(run);
  byId('banner').textContent = said;
  byId('banner').hidden = said === '';
  byId('note').textContent = notes.join(' ');

  const facts = run.facts.map(([name, text]) => (
    element('div', {}, element('dt', {}, name), element('dd', {}, String(text)))));
  dialog.append(
    closeButton(dialog),
    element('h2', { id: 'info-title' }, run.title),
    ...(said ? [element('p', { class: 'warning' }, said)] : []),
    ...notes.map((note) => element('p', {}, note)),
    element('dl', {}, ...facts),
    ...(run.settings ? textBlock('Changed with --set', run.settings) : []),
    ...(run.scenario ? textBlock('Scenario', run.scenario) : []),
    element('p', { class: 'made' }, `Made by withy ${run.version ?? ''}.`),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  const open = () => (dialog.open ? dialog.close() : dialog.showModal());
  byId('info-open').addEventListener('click', open);
  return { toggle: open };
}
