import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseAst, type Plugin } from 'vite';

const WIRE_MODULE = /\/packages\/wire\/src\/[\w-]+\.ts$/;
const DESCRIBING_FUNCTIONS: ReadonlySet<string> = new Set(['endpoint', 'csvEndpoint', 'imageEndpoint']);
const ROUTER_MODULE = /\/node_modules\/react-router\/dist\/production\/[\w-]+\.mjs$/;
const ROUTER_FOLDER = dirname(createRequire(import.meta.url).resolve('react-router/package.json'));
const PURE = '/* @__PURE__ */ ';

/** The files of the router library that contain no warnings for developers, by the name that screens import. */
export const ROUTER_FILES: ReadonlyMap<string, string> = new Map([
  ['react-router', join(ROUTER_FOLDER, 'dist/production/index.mjs')],
  ['react-router/dom', join(ROUTER_FOLDER, 'dist/production/dom-export.mjs')],
]);

/** A node of a syntax tree. Positions are indexes of characters in the source. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly key?: SyntaxNode;
  readonly callee?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly properties?: readonly SyntaxNode[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Vite plugin of a browser app's build. It removes code that no browser needs: the summaries of endpoints, which only
 * the server prints, the development warnings of the router, and the components of the router that no screen imports.
 */
export function leanScripts(): Plugin {
  return {
    name: 'lean-scripts',
    apply: 'build',
    enforce: 'post',
    config: () => ({
      resolve: {
        alias: [...ROUTER_FILES].map(([name, file]) => ({
          find: new RegExp(`^${name}$`),
          replacement: file,
        })),
      },
    }),
    transform(code, id) {
      if (WIRE_MODULE.test(id)) return { code: withoutSummaries(code), map: null };
      if (ROUTER_MODULE.test(id)) return { code: withRemovableComponents(code), map: null };
      return null;
    },
  };
}

/**
 * Returns the JavaScript of a module of `packages/wire` without the property `summary` in its descriptions of
 * endpoints.
 */
export function withoutSummaries(code: string): string {
  const edits = nodesOf(code)
    .filter(({ type, callee }) => type === 'CallExpression' && DESCRIBING_FUNCTIONS.has(callee?.name ?? ''))
    .flatMap((call) => call.arguments?.[0]?.properties ?? [])
    .filter(({ key }) => key?.name === 'summary')
    .map(({ start, end }) => ({
      start,
      end: end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0),
      text: '',
    }));
  return edited(code, edits);
}

/**
 * Changes a module of the router so that the bundler may remove each unused component. In the original module it may
 * not, because a call of `forwardRef`, the name of a component or the evaluation of a base class could have an effect.
 */
export function withRemovableComponents(code: string): string {
  const unnamed = code.replaceAll(/^\w+\.displayName = "[^"]*";$/gm, '');
  const edits = nodesOf(unnamed).flatMap(({ type, start, end, callee }) => {
    if (type === 'ClassExpression') {
      return [
        { start, end: start, text: `${PURE}(() => ` },
        { start: end, end, text: ')()' },
      ];
    }
    const isComponent = type === 'CallExpression' && textOf(unnamed, callee).endsWith('.forwardRef');
    return isComponent ? [{ start, end: start, text: PURE }] : [];
  });
  return edited(unnamed, edits);
}

function textOf(code: string, node: SyntaxNode | undefined): string {
  return node === undefined ? '' : code.slice(node.start, node.end);
}

/**
 * Parses the code of a JavaScript module and returns all nodes of its syntax tree, in no particular order.
 */
function nodesOf(code: string): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const values: unknown[] = [parseAst(code)];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value && 'start' in value) nodes.push(value as SyntaxNode);
    for (const child of Object.values(value))
      if (typeof child === 'object' && child !== null) values.push(child);
  }
  return nodes;
}

/** Applies edits to a source text. The edits must not overlap. */
function edited(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((first, second) => second.start - first.start)
    .reduce(
      (text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end),
      code,
    );
}
