/** Runs in the operator's browser; writes text only, never markup. */
export const OPERATOR_SCRIPT = `'use strict';
const everyMs = 2000;
const server = document.getElementById('server');
const components = document.getElementById('components');

function cell(text, className) {
  const td = document.createElement('td');
  td.textContent = text;
  if (className) td.className = className;
  return td;
}

function row(name, component) {
  const tr = document.createElement('tr');
  const facts = Object.entries(component.facts || {}).map(([fact, value]) => fact + ': ' + value);
  const details = [component.reason, ...facts].filter(Boolean).join(' · ');
  const state = component.isUp ? 'up' : component.isStandby ? 'standby' : 'down';
  tr.append(cell(name), cell(state, state), cell(details));
  return tr;
}

async function refresh() {
  try {
    const answer = await fetch('/health', { cache: 'no-store' });
    const health = await answer.json();
    const minutes = Math.floor(health.uptimeSeconds / 60);
    server.textContent = health.mode + ' mode · version ' + health.version + ' · ' + health.status + ' · running for ' + minutes + ' min';
    server.className = health.status;
    components.replaceChildren(...Object.entries(health.components).map(([name, one]) => row(name, one)));
  } catch (cause) {
    server.textContent = 'The server does not answer.';
    server.className = 'down';
    components.replaceChildren();
  }
  setTimeout(refresh, everyMs);
}

void refresh();

const EFFECTS = {
  open: 'Orders are taken again.',
  cancelOnly: 'No new orders; open ones can be cancelled; nothing trades.',
  closed: 'No new orders, no cancelling; nothing trades.',
};
const NAMES = { open: 'open', cancelOnly: 'cancel only', closed: 'closed' };
const message = document.getElementById('pairs-message');
const dialog = document.getElementById('change');
const changeForm = document.getElementById('change-form');
let operator;
let wanted;

async function call(path, form) {
  const headers = { authorization: 'Bearer ' + operator.token };
  const body = form && new URLSearchParams(form);
  const answer = await fetch(path, { method: form ? 'POST' : 'GET', headers, body, cache: 'no-store' });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.error);
  return result;
}

function pairRow(pair) {
  const tr = document.createElement('tr');
  const since = pair.since ? new Date(pair.since).toISOString() + ', ' : '';
  const change = document.createElement('td');
  for (const status of Object.keys(NAMES).filter((name) => name !== pair.status)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = NAMES[status];
    button.setAttribute('aria-label', 'Set ' + pair.symbol + ' to ' + NAMES[status]);
    button.addEventListener('click', () => ask(pair.symbol, status));
    change.append(button);
  }
  const by = pair.by ? since + pair.by + ': ' + pair.reason : '';
  tr.append(cell(pair.symbol.toUpperCase()), cell(NAMES[pair.status], pair.status === 'open' ? 'up' : 'down'), cell(by), change);
  return tr;
}

async function showPairs() {
  const { pairs } = await call('/ops/pairs');
  document.getElementById('pair-rows').replaceChildren(...pairs.map(pairRow));
  document.getElementById('pairs').hidden = false;
  document.getElementById('sign-in').hidden = true;
}

function ask(symbol, status) {
  wanted = { symbol, status };
  document.getElementById('change-title').textContent = symbol.toUpperCase() + ': ' + NAMES[status] + '?';
  document.getElementById('change-effect').textContent = EFFECTS[status];
  changeForm.reset();
  dialog.showModal();
}

document.getElementById('change-back').addEventListener('click', () => dialog.close());

changeForm.addEventListener('submit', async () => {
  const { symbol, status } = wanted;
  const reason = new FormData(changeForm).get('reason');
  try {
    await call('/ops/pairs/' + symbol + '/status', { status, reason, by: operator.by });
    message.textContent = symbol.toUpperCase() + ' is ' + NAMES[status] + '.';
    await showPairs();
  } catch (cause) {
    message.textContent = cause.message;
  }
});

document.getElementById('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  operator = Object.fromEntries(new FormData(event.target));
  try {
    message.textContent = '';
    await showPairs();
  } catch (cause) {
    message.textContent = cause.message;
  }
});
`;
