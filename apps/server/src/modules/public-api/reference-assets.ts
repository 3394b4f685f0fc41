/**
 * Style sheet of the reference pages, with the colors of the apps in the color scheme that the
 * browser prefers.
 */
export const REFERENCE_STYLE = `:root { color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f5f8; --line: #e6e6ed; --text: #16161d; --muted: #555563;
  --accent: #6d28d9; --fill: #7c3aed; --soft: #7c3aed17; --green: #08734c; --red: #c2203a; --blue: #1b55c4; --amber: #855300;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #121216; --raised: #1a1a20; --line: #2c2c36; --text: #ededf2; --muted: #a6a6b4;
  --accent: #b39dfa; --fill: #7c3aed; --soft: #7c3aed2e; --green: #2ebd85; --red: #f6566b; --blue: #6aa5ff; --amber: #f0b03f; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9375rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--fill); outline-offset: 2px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.75rem; }
h2 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 0.5rem; }
p + h2, ul + h2, pre + h2 { margin-top: 1.75rem; }
h3 { font-size: 1.0625rem; margin: 0 0 0.5rem; }
h4 { font-size: 1rem; margin: 0 0 0.25rem; }
p { margin: 0 0 0.75rem; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
p code, li code, .row span code { background: var(--soft); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: 0.75rem 1rem; max-height: 26rem; overflow: auto; background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; line-height: 1.5; }
small { display: block; color: var(--muted); font-size: 0.8125rem; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--ground); padding: 0.5rem; }
.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 0.75rem; min-height: 3.5rem; padding: 0 1.5rem;
  background: var(--ground); border-bottom: 1px solid var(--line); }
.brand { color: var(--text); font-weight: 700; font-size: 1.125rem; }
.title { color: var(--muted); }
.version { color: var(--muted); font-size: 0.8125rem; }
.top nav { display: flex; gap: 1.25rem; margin-left: auto; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto; }
.contents { position: sticky; top: 3.5rem; align-self: start; height: calc(100vh - 3.5rem); overflow-y: auto; padding: 1rem 0.75rem 2rem 1.5rem;
  border-right: 1px solid var(--line); font-size: 0.875rem; }
.contents summary { display: none; }
.contents::details-content { content-visibility: visible; display: block; }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents li a { display: block; padding: 0.25rem 0.5rem; border-radius: 6px; color: var(--text); overflow-wrap: anywhere; }
.contents li a:hover { background: var(--soft); text-decoration: none; }
.contents > nav > ul > li > a { font-weight: 600; margin-top: 0.5rem; }
.contents li li a { color: var(--muted); padding: 0.2rem 0.5rem; }
.contents .method { font-size: 0.625rem; min-width: 2.9rem; }
main { min-width: 0; padding: 2rem 2rem 6rem; }
section { margin-bottom: 3.5rem; }
.lead { font-size: 1.0625rem; max-width: 60rem; }
.rules { padding-left: 1.25rem; max-width: 60rem; }
.rules li { margin-bottom: 0.35rem; }
.request { white-space: pre-wrap; overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
article { border-top: 1px solid var(--line); padding: 1.5rem 0 0.5rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.5rem; color: var(--muted); font-size: 0.8125rem; margin-bottom: 0.5rem; }
.facts span { border: 1px solid var(--line); border-radius: 99px; padding: 0.05rem 0.6rem; }
.facts .signed { color: var(--amber); border-color: currentcolor; }
.facts .key { color: var(--blue); border-color: currentcolor; }
.facts .open { color: var(--green); border-color: currentcolor; }
.method { display: inline-block; font: 600 0.75rem/1.4 var(--mono); }
.get { color: var(--green); }
.post { color: var(--blue); }
.put { color: var(--amber); }
.delete { color: var(--red); }
h3 code { font-size: 0.9375rem; font-weight: 600; overflow-wrap: anywhere; }
.parameters { border: 1px solid var(--line); border-radius: 8px; }
.parameter { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 11rem); gap: 1rem; align-items: center; padding: 0.5rem 1rem;
  border-bottom: 1px solid var(--line); }
.parameter:only-child, div.parameters .parameter:last-child { border-bottom: 0; }
div.parameters .parameter { grid-template-columns: minmax(0, 1fr); }
.parameter p { margin: 0; }
.parameter b { font: 600 0.8125rem/1.5 var(--mono); }
.parameter small code { background: none; padding: 0; }
.required { color: var(--red); font-size: 0.75rem; }
.none { margin: 0; padding: 0.75rem 1rem; color: var(--muted); }
.buttons { display: flex; margin: 0; padding: 0.75rem 1rem; }
input, select, button { font: inherit; min-height: 2.25rem; border-radius: 6px; }
input, select { width: 100%; min-width: 0; padding: 0 0.6rem; border: 1px solid var(--line); background: var(--ground); color: var(--text); }
.parameter input, .parameter select { font: 0.8125rem var(--mono); }
button { padding: 0 1rem; border: 0; background: var(--fill); color: #ffffff; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.1); }
button:disabled { opacity: 0.6; cursor: default; }
.answer { margin-top: 1rem; }
.answer p { margin-bottom: 0.35rem; font-size: 0.8125rem; color: var(--muted); }
.answer b { color: var(--green); }
.answer.refused b { color: var(--red); }
.caption { margin: 0 0 0.25rem; color: var(--muted); font-size: 0.8125rem; }
.rows { border: 1px solid var(--line); border-radius: 8px; margin-bottom: 1.5rem; }
.row { display: grid; grid-template-columns: minmax(7rem, 17rem) minmax(0, 1fr); gap: 1rem; padding: 0.4rem 1rem; border-bottom: 1px solid var(--line); }
.stream .row { grid-template-columns: 6.5rem minmax(0, 1fr); padding: 0.25rem 1rem; }
.row:last-child { border-bottom: 0; }
.row > code { overflow-wrap: anywhere; }
.error { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: 1rem; padding: 0.75rem 0 0; }
.error p { margin-bottom: 0.25rem; }
.error .code b { font: 600 1rem var(--mono); }
.error .remedy { color: var(--muted); margin-bottom: 0.75rem; }
[hidden] { display: none !important; }
@media (max-width: 68rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem; }
}
@media (max-width: 52rem) {
  .page { grid-template-columns: minmax(0, 1fr); }
  .top { flex-wrap: wrap; gap: 0 0.75rem; padding: 0.5rem 1rem; }
  .top nav { width: 100%; margin: 0; }
  .top nav a { padding: 0.35rem 0; }
  html { scroll-padding-top: 6rem; }
  .contents { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); padding: 0.5rem 1rem; }
  .contents summary { display: list-item; padding: 0.6rem 0; font-weight: 600; cursor: pointer; }
  .contents:not([open])::details-content { display: none; }
  .contents li li a { padding: 0.5rem; }
  main { padding: 1.25rem 1rem 4rem; }
  h1 { font-size: 1.625rem; }
  input, select, button { min-height: 2.75rem; font-size: 1rem; }
  .parameter { grid-template-columns: minmax(0, 1fr); gap: 0.35rem; }
  .row { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .stream .row { grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0.5rem; }
  .error { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .error .code { display: flex; gap: 0.75rem; align-items: baseline; }
}
`;

/**
 * Script of the reference pages: sends requests of public calls to this server, and searches calls
 * by words.
 */
export const REFERENCE_SCRIPT = `'use strict';
const SHOWN = 20000;

for (const place of document.querySelectorAll('[data-origin]'))
  place.textContent =
    place.dataset.origin === 'ws' ? location.origin.replace('http', 'ws') : location.origin;

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name || field.value === '') continue;
    if (field.dataset.place === 'path')
      path = path.replace('{' + field.name + '}', encodeURIComponent(field.value));
    else query.set(field.name, field.value);
  }
  return query.size === 0 ? path : path + '?' + query;
}

function textOf(body) {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2).replace(/\\[\\s+([^[\\]{}]*?)\\s+\\]/g, (list, items) => {
      const line = '[' + items.replace(/\\s*\\n\\s*/g, ' ') + ']';
      return line.length <= 100 ? line : list;
    });
  } catch {
    // A body that is not JSON is shown as it is.
  }
  return text.length > SHOWN ? text.slice(0, SHOWN) + '\\n… shortened' : text;
}

function show(form, isRefused, status, facts, body) {
  const place = form.nextElementSibling;
  const line = document.createElement('p');
  const strong = document.createElement('b');
  strong.textContent = status;
  line.append(strong, facts);
  const block = document.createElement('pre');
  block.tabIndex = 0;
  block.textContent = body;
  place.classList.toggle('refused', isRefused);
  place.replaceChildren(line, block);
  place.hidden = false;
}

async function run(form) {
  const button = form.querySelector('button');
  const url = requestOf(form);
  button.disabled = true;
  const start = performance.now();
  try {
    const answer = await fetch(url);
    const body = await answer.text();
    const used = answer.headers.get('x-mbx-used-weight-1m');
    const facts = [' GET ' + url, Math.round(performance.now() - start) + ' ms', 'used weight ' + used].join(' · ');
    show(form, !answer.ok, 'HTTP ' + answer.status, facts, textOf(body));
  } catch {
    show(form, true, 'No answer', ' GET ' + url, 'The server could not be reached. Run it again.');
  } finally {
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll('form.run'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(form);
  });

const contents = document.querySelector('.contents');
const wide = matchMedia('(min-width: 52rem)');
const fit = () => { contents.open = wide.matches; };
wide.addEventListener('change', fit);
fit();
contents.addEventListener('click', (event) => {
  if (!wide.matches && event.target.closest('a')) contents.open = false;
});

document.querySelector('#search').addEventListener('input', (event) => {
  const words = event.target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const matches = (text) => words.every((word) => text.toLowerCase().includes(word));
  for (const link of contents.querySelectorAll('li li a')) {
    const article = document.getElementById(link.hash.slice(1));
    const isFound = matches(article.querySelector('h3').textContent + ' ' + article.textContent.slice(0, 400));
    link.parentElement.hidden = !isFound;
    article.hidden = !isFound;
  }
  for (const list of contents.querySelectorAll('li > ul')) {
    const isEmpty = [...list.children].every((item) => item.hidden);
    list.parentElement.hidden = isEmpty;
    document.getElementById(list.previousElementSibling.hash.slice(1)).hidden = isEmpty;
  }
});
`;
