import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ROUTER_FILES, withoutSummaries, withRemovableComponents } from './lean-scripts.ts';

it('WEB-1240 a browser gets a call without its summary, and all other properties', () => {
  const code = [
    "const note = { summary: 'kept' };",
    'export const login = endpoint({',
    "  path: '/user/login',",
    "  summary: 'Signs in, with a code; \\'twice\\' as well.',",
    '  access: ANYONE,',
    '});',
    'export const rows = csvEndpoint({ path: "/rows", summary: `Rows, ${note}` });',
  ].join('\n');
  expect(withoutSummaries(code)).toBe(
    [
      "const note = { summary: 'kept' };",
      'export const login = endpoint({',
      "  path: '/user/login',",
      '  ',
      '  access: ANYONE,',
      '});',
      'export const rows = csvEndpoint({ path: "/rows",  });',
    ].join('\n'),
  );
});

it('WEB-1240 the production files of the router export what its default files do', async () => {
  for (const [name, file] of ROUTER_FILES) {
    const production = (await import(pathToFileURL(file).href)) as object;
    expect(Object.keys(production).toSorted()).toEqual(
      Object.keys((await import(name)) as object).toSorted(),
    );
  }
});

it('WEB-1240 a component of the router can be removed when nothing imports it', () => {
  const code = [
    'const Form = React.forwardRef((properties) => properties);',
    'Form.displayName = "Form";',
    'const Boundary = class extends React.Component { render() { return null; } };',
  ].join('\n');
  expect(withRemovableComponents(code)).toBe(
    [
      'const Form = /* @__PURE__ */ React.forwardRef((properties) => properties);',
      '',
      'const Boundary = /* @__PURE__ */ (() => class extends React.Component { render() { return null; } })();',
    ].join('\n'),
  );
});
