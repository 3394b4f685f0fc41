import { expect, it } from 'vitest';
import {
  type BundledModule,
  iconChunks,
  type ModuleGraph,
  planChunks,
  sharedChunks,
} from './shared-chunks.ts';

const NO_SCREEN = /^$/;

/**
 * Creates a module graph from the static (`imports`) and dynamic (`lazy`) imports of each module, and its code or its
 * size in characters.
 */
function graphOf(
  modules: Readonly<Record<string, { imports?: string[]; lazy?: string[]; size?: number; code?: string }>>,
): ModuleGraph {
  const importersOf = (id: string, kind: 'imports' | 'lazy') =>
    Object.keys(modules).filter((importer) => modules[importer]?.[kind]?.includes(id));
  return {
    getModuleInfo: (id): BundledModule | null => {
      const module = modules[id];
      if (module === undefined) return null;
      return {
        isEntry: id === 'main',
        code: module.code ?? 'x'.repeat(module.size ?? 100),
        importers: importersOf(id, 'imports'),
        dynamicImporters: importersOf(id, 'lazy'),
        importedIds: module.imports ?? [],
        dynamicallyImportedIds: module.lazy ?? [],
      };
    },
  };
}

it('WEB-1035 small modules that nearly the same parts share are one chunk, and large ones are not loaded for it', () => {
  const graph = graphOf({
    main: { imports: ['base'], lazy: ['a', 'b', 'c', 'd'] },
    base: {},
    a: { imports: ['button', 'field', 'chart', 'base'] },
    b: { imports: ['button', 'field'] },
    c: { imports: ['button', 'alone'] },
    d: { imports: ['chart'] },
    button: {},
    field: {},
    chart: { size: 90_000 },
    alone: {},
  });
  const names = planChunks(graph, 'main', NO_SCREEN);
  expect(names.get('button')).toBeDefined();
  expect(names.get('field')).toBe(names.get('button'));
  expect(names.get('chart')).not.toBe(names.get('button'));
  expect([...names.keys()].toSorted()).toEqual(['button', 'chart', 'field']);
});

it('WEB-1035 the first screen is not made larger for requests of others', () => {
  const graph = graphOf({
    main: { lazy: ['home-screen', 'a', 'b'] },
    'home-screen': { imports: ['button'] },
    a: { imports: ['button', 'table'] },
    b: { imports: ['button', 'table'] },
    button: {},
    table: { size: 3_000 },
  });
  const others = planChunks(graph, 'main', NO_SCREEN);
  expect(others.get('table')).toBe(others.get('button'));
  const names = planChunks(graph, 'main', /home-screen/);
  expect(names.get('table')).not.toBe(names.get('button'));
});

it('WEB-1035 chunks never import each other in a circle, nor through a part', () => {
  const graph = graphOf({
    main: { lazy: ['a', 'b', 'part'] },
    a: { imports: ['top', 'part'] },
    b: { imports: ['top', 'part'] },
    top: { imports: ['part'] },
    part: { imports: ['bottom'] },
    bottom: {},
  });
  const names = planChunks(graph, 'main', NO_SCREEN);
  expect(names.get('part')).toBeUndefined();
  expect(names.get('top')).not.toBe(names.get('bottom'));
});

it('WEB-1035 a part does not come to load a large library through a small chunk', () => {
  const graph = graphOf({
    main: { lazy: ['a', 'b', 'c'] },
    a: { imports: ['sheet', 'button'] },
    b: { imports: ['sheet', 'button'] },
    c: { imports: ['button'] },
    sheet: { imports: ['overlay'] },
    overlay: { imports: ['/x/node_modules/@mantine/core/index.mjs'] },
    '/x/node_modules/@mantine/core/index.mjs': { size: 10 },
    button: {},
  });
  const names = planChunks(graph, 'main', NO_SCREEN);
  expect(names.get('overlay')).toBeUndefined();
  expect(names.get('sheet')).not.toBe(names.get('button'));
});

it('WEB-1035 the plan is found from any module', () => {
  const graph = graphOf({
    main: { lazy: ['a', 'b'] },
    a: { imports: ['button'] },
    b: { imports: ['button'] },
    button: {},
  });
  const nameOf = sharedChunks(NO_SCREEN);
  expect(nameOf('button', graph)).toBe('shared-0');
  expect(nameOf('a', graph)).toBeNull();
  expect(nameOf('main', graph)).toBeNull();
});

it('WEB-1035 the icons of the first screen are one file and all others another, also by an older name', () => {
  const index = '/x/node_modules/lucide-react/dist/esm/lucide-react.mjs';
  const icon = (name: string) => `/x/node_modules/lucide-react/dist/esm/icons/${name}.mjs`;
  const graph = graphOf({
    main: { lazy: ['home-screen', 'a'] },
    'home-screen': { imports: ['board'] },
    board: {
      imports: [index],
      code: 'import {\n  Check,\n  CandlestickChart as Chart,\n} from "lucide-react";',
    },
    a: { imports: [index], code: 'import { Check, X } from "lucide-react";' },
    [index]: {
      imports: ['check', 'chart-candlestick', 'x'].map(icon),
      code: `export { default as Check, default as CheckIcon } from './icons/check.mjs';
export { default as CandlestickChart, default as ChartCandlestick } from './icons/chart-candlestick.mjs';
export { default as X } from './icons/x.mjs';`,
    },
    [icon('check')]: {},
    [icon('chart-candlestick')]: {},
    [icon('x')]: {},
  });
  const nameOf = iconChunks(/home-screen/);
  expect(nameOf(icon('check'), graph)).toBe('icons-first');
  expect(nameOf(icon('chart-candlestick'), graph)).toBe('icons-first');
  expect(nameOf(icon('x'), graph)).toBe('icons');
});
