/**
 * Style sheet of the status page, with the colors of the apps in the color scheme that the
 * browser prefers.
 */
export const STATUS_STYLE = `:root { color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f5f8; --line: #e6e6ed; --text: #16161d; --muted: #555563;
  --accent: #6d28d9; --green: #08734c; --red: #c2203a; --amber: #855300; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #121216; --raised: #1a1a20; --line: #2c2c36; --text: #ededf2; --muted: #a6a6b4;
  --accent: #b39dfa; --green: #2ebd85; --red: #f6566b; --amber: #f0b03f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9375rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; min-height: 3.5rem;
  padding: 0.5rem 1rem; border-bottom: 1px solid var(--line); }
.brand { color: var(--text); font-weight: 700; font-size: 1.125rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; }
nav a, nav span { display: inline-flex; align-items: center; min-height: 2rem; }
nav span { color: var(--muted); }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.75rem; margin: 0 0 0.75rem; }
h2 { font-size: 1.25rem; margin: 0 0 0.25rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
section { margin-top: 2rem; }
.summary { padding: 0.875rem 1rem; border: 1px solid currentcolor; border-radius: 8px; font-weight: 600; font-size: 1.0625rem; }
.good { color: var(--green); }
.bad { color: var(--red); }
.note { color: var(--muted); font-size: 0.875rem; }
ul { list-style: none; margin: 0 0 0.75rem; padding: 0; }
li { padding: 0.25rem 0; }
.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; font-weight: 600; }
article { padding: 1rem; margin-top: 0.75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
article p { margin: 0.125rem 0; white-space: pre-line; }
time { color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.375rem 0.5rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; white-space: nowrap; }
th:first-child { text-align: left; }
tbody th, .notice td { white-space: normal; }
.notice td { text-align: left; }
thead th { color: var(--muted); font-size: 0.8125rem; }
.bar { width: 60%; padding-right: 1rem; }
.bar svg { display: block; width: 100%; height: 0.75rem; }
.bar rect { fill: var(--accent); }
.days { display: block; width: 100%; height: 2.5rem; margin-bottom: 0.75rem; }
.days .good { fill: var(--green); }
.days .fair { fill: var(--amber); }
.days .bad { fill: var(--red); }
.days .none { fill: var(--line); }
.scroll { max-height: 16rem; overflow-y: auto; }
`;
