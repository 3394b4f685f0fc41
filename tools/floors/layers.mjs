/**
 * The layers of the code with the imports that each layer may have.
 *
 * @typedef {'own' | 'lower' | 'any'} Owner
 *   `own`: only from the same module, feature or app. `lower`: only from a module of a lower level. `any`: no limit.
 * @typedef {{ layer: string, owner: Owner, typesOnly: boolean }} ImportRule
 *   Allows imports from `layer` within the limit of `owner`. If `typesOnly` is true, only types may be imported.
 * @typedef {{ only?: readonly string[], except?: readonly string[], node: boolean | readonly string[] }} Packages
 *   `only` lists the allowed npm packages and `except` the forbidden ones. `@scope/*` stands for all packages of a
 *   scope. `node` lists the allowed built-in modules, or is true if all are allowed and false if none is.
 * @typedef {{ imports: readonly ImportRule[], packages: Packages, why: string }} LayerRules
 * @typedef {{ name: string, owner: string }} Layer
 *   `owner` is the name of the module, feature or app. It is empty for layers without an owner.
 */
import { readFileSync } from 'node:fs';

/**
 * The names of the server's modules by level, lowest first. A module may only call modules of lower levels. It receives
 * events from higher levels by subscribing to them. The products in `products.ts` of the server need no entry here.
 */
const LEVELS = [
  ['identity', 'parameters', 'assets', 'trading-pauses'],
  ['ledger', 'market', 'messages', 'files', 'board', 'screening'],
  ['api-keys', 'kyc', 'push', 'support', 'chains', 'matching', 'earn'],
  ['treasury', 'convert'],
  ['spot', 'faucet', ...productsIn('apps/server/src/products.ts')],
  [
    'portfolio',
    'tracking',
    'watchlist',
    'proofs',
    'operators',
    'customers',
    'public-api',
    'liquidity',
    'networks',
    'figures',
    'stamps',
  ],
  ['status'],
];

/**
 * Returns the names of the modules whose `index.ts` a file of the server imports. If a module also has an entry in the
 * table, the level of that entry counts.
 * @param {string} file @returns {string[]}
 */
function productsIn(file) {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(/from '\.\/modules\/([^/']+)\/index\.ts'/g)].map((match) => match[1] ?? '');
}

/** @param {string} module @returns {number | null} 1 is the lowest; null for a module that is not in the table */
export function levelOf(module) {
  const index = LEVELS.findIndex((modules) => modules.includes(module));
  return index < 0 ? null : index + 1;
}

/**
 * The layers of paths. The first match counts. The first group of the expression is the owner.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const PATHS = [
  [/\.(test|spec)\.(tsx?|mjs)$/, 'free'],
  [/^(e2e|bench|tools)\//, 'free'],
  [/^(apps|packages)\/([^/]+\/)+testing\//, 'free'],
  [/^(apps|packages)\/[^/]+\/[^/]+\.config\.ts$/, 'free'],
  [/^packages\/core\/src\//, 'core'],
  [/^packages\/wire\/src\//, 'wire'],
  [/^packages\/mcp\/src\//, 'mcp'],
  [/^packages\/web-kit\/src\/ui\//, 'kit/ui'],
  [/^packages\/web-kit\/src\/theme\//, 'kit/theme'],
  [
    /^packages\/web-kit\/src\/((api|feed|form|format|list|balance|i18n|chart|session|clock|part)\/|[^/]+$)/,
    'kit/shared',
  ],
  [/^packages\/web-kit\/src\/market\//, 'kit/market'],
  [/^packages\/web-kit\/src\/([^/]+)\//, 'kit/feature'],
  [/^apps\/server\/src\/main\.ts$/, 'server/main'],
  [
    /^apps\/server\/src\/((api-node|app|cluster-node|compose|desk|feed-node|house|live-readiness|money|node-reads|products|public-facts|resources|unstarted-platform|watch-health|worker|worker-jobs)\.ts$|commands\/)/,
    'server/app',
  ],
  [
    /^apps\/server\/src\/((chain-|evm-|explorer-|operator-|passkey-|tron-|utxo-|xrp-)?config|setting-fields)\.ts$/,
    'server/config',
  ],
  [/^apps\/server\/src\/platform\/http(\/|\.ts$)/, 'platform/http'],
  [/^apps\/server\/src\/platform\/(database(\/|\.ts$)|sequencer\/row-writer\.ts$)/, 'platform/database'],
  [/^apps\/server\/src\/platform\/events(\/|\.ts$)/, 'platform/events'],
  [/^apps\/server\/src\/platform\//, 'platform'],
  [/^apps\/server\/src\/modules\/([^/]+)\/index\.ts$/, 'module/door'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?domain([/.-])/, 'module/domain'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?(repository|tables)([/.-])/, 'module/repository'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?routes([/.-])/, 'module/routes'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?operations([/.-])/, 'module/operations'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?present([/.-])/, 'module/present'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?feed([/.-])/, 'module/feed'],
  [/^apps\/server\/src\/modules\/([^/]+)\/events([/.])/, 'module/events'],
  [/^apps\/server\/src\/modules\/([^/]+)\//, 'module/service'],
  [/^apps\/(desktop|mobile|console)\/src\//, 'screen'],
  // Console code may import the runbook, because operators read it in the console.
  [/^docs\/runbook\.md$/, 'runbook'],
];

/** @param {string} path @returns {Layer | null} null for a file that belongs to no layer */
export function layerOf(path) {
  for (const [pattern, name] of PATHS) {
    const match = pattern.exec(path);
    if (match) return { name, owner: match[1] ?? '' };
  }
  return null;
}

/** @param {string[]} layers @returns {ImportRule[]} rules that allow all imports from the layers */
const anyOf = (...layers) => layers.map((layer) => ({ layer, owner: 'any', typesOnly: false }));
/**
 * @param {string[]} layers @returns {ImportRule[]} rules that allow all imports of the same owner from the
 * layers
 */
const own = (...layers) => layers.map((layer) => ({ layer, owner: 'own', typesOnly: false }));
/** @param {string[]} layers @returns {ImportRule[]} rules that allow imports of types only from the layers */
const typesOf = (...layers) => layers.map((layer) => ({ layer, owner: 'any', typesOnly: true }));
/** @param {string[]} layers @returns {ImportRule[]} as `typesOf`, but only from files of the same owner */
const typesOfOwn = (...layers) => layers.map((layer) => ({ layer, owner: 'own', typesOnly: true }));
/** @type {ImportRule} allows all imports from the `index.ts` of modules at lower levels */
const lowerDoors = { layer: 'module/door', owner: 'lower', typesOnly: false };
/** @type {ImportRule} as `lowerDoors`, but only imports of types */
const typesOfLowerDoors = { ...lowerDoors, typesOnly: true };

const PLATFORM = ['platform', 'platform/http', 'platform/database', 'platform/events'];
const KIT = ['kit/ui', 'kit/theme', 'kit/shared'];
const ANY_PACKAGE = { node: true };
const NO_PACKAGE = { only: [], node: false };
const BROWSER_PACKAGE = {
  except: ['fastify', '@fastify/*', 'pg', 'kysely', 'ws', 'nodemailer'],
  node: false,
};
const UI_KIT = ['react', 'react-dom', 'react-error-boundary', 'react-router', '@mantine/*', 'lucide-react'];
const SQL_AND_HTTP = ['kysely', 'pg', 'fastify', '@fastify/*', 'ws'];
const NODE_WITHOUT_IO = ['node:crypto', 'node:util', 'node:buffer', 'node:events', 'node:zlib'];

/** @type {Readonly<Record<string, LayerRules>>} */
const BASE_LAYERS = {
  core: {
    imports: anyOf('core'),
    packages: { only: ['@noble/hashes', '@scure/base'], node: false },
    why: 'core imports only itself and pure digests and encodings, so that it runs and replays everywhere',
  },
  wire: {
    imports: anyOf('wire', 'core'),
    packages: { only: ['zod'], node: false },
    why: 'wire describes endpoints with core and zod only',
  },
  mcp: {
    imports: anyOf('mcp', 'core', 'wire'),
    packages: { only: [], node: ['node:crypto', 'node:fs', 'node:readline'] },
    why: 'the server of assistants calls the exchange by what wire describes, and needs no package',
  },
  'kit/ui': {
    imports: anyOf('kit/ui', 'kit/theme'),
    packages: { only: [...UI_KIT, 'react-number-format'], node: false },
    why: 'a part of the user interface knows React and the UI kit, but no coin, no endpoint and no feature',
  },
  'kit/theme': {
    imports: anyOf('kit/theme', 'kit/shared'),
    packages: BROWSER_PACKAGE,
    why: 'the theme knows no feature and no endpoint',
  },
  'kit/shared': {
    imports: anyOf(...KIT, 'core', 'wire'),
    packages: BROWSER_PACKAGE,
    why: 'a shared folder of web-kit knows no feature and no server',
  },
  'kit/market': {
    imports: anyOf(...KIT, 'kit/market', 'core', 'wire'),
    packages: BROWSER_PACKAGE,
    why: 'pairs and prices are below every feature that trades them',
  },
  'kit/feature': {
    imports: [...anyOf(...KIT, 'kit/market', 'core', 'wire'), ...own('kit/feature')],
    packages: BROWSER_PACKAGE,
    why: 'a feature of web-kit uses the shared folders and the market, never another feature',
  },
  screen: {
    imports: [...own('screen'), ...anyOf(...KIT, 'kit/market', 'kit/feature', 'core', 'runbook')],
    packages: { only: [...UI_KIT, 'dockview-react'], node: false },
    why: 'a screen uses web-kit, core, React, the router, the UI kit and the dock of panels; calls, queries and other apps lie behind web-kit',
  },
  'server/main': {
    imports: anyOf('server/app', 'server/config', 'core', ...PLATFORM),
    packages: ANY_PACKAGE,
    why: 'the process reads its settings and starts the app; it knows no module',
  },
  'server/app': {
    imports: anyOf('server/app', 'server/config', 'module/door', 'core', 'wire', ...PLATFORM),
    packages: ANY_PACKAGE,
    why: 'the app knows modules by their doors only',
  },
  'server/config': {
    imports: [...anyOf('core', 'server/config'), ...typesOf(...PLATFORM)],
    packages: ANY_PACKAGE,
    why: 'the settings depend on nothing that is built from them',
  },
  platform: {
    imports: [...anyOf('core', 'wire', ...PLATFORM), ...typesOf('server/config')],
    packages: ANY_PACKAGE,
    why: 'the platform carries the modules and knows none of them',
  },
  'module/domain': {
    imports: [...anyOf('core'), ...own('module/domain'), typesOfLowerDoors],
    packages: NO_PACKAGE,
    why: "a domain is pure: core, itself, and types from other modules' doors",
  },
  'module/repository': {
    imports: [
      ...anyOf('core', 'platform/database'),
      ...own('module/repository', 'module/domain', 'module/events'),
      ...typesOfOwn('module/service'),
      ...typesOf(...PLATFORM),
    ],
    packages: { only: ['kysely', 'pg'], node: false },
    why: 'a repository speaks SQL about its own tables and knows its own domain, nothing else',
  },
  'module/service': {
    imports: [
      ...anyOf('core', 'platform', 'platform/database', 'platform/events'),
      ...own('module/service', 'module/domain', 'module/repository', 'module/events', 'module/present'),
      ...own('module/feed'),
      ...typesOf('platform/http', 'wire'),
      lowerDoors,
    ],
    packages: { except: SQL_AND_HTTP, node: NODE_WITHOUT_IO },
    why: 'a service uses its own module, the platform and the doors of lower modules; no SQL, no HTTP',
  },
  'module/events': {
    imports: [...anyOf('core', 'platform/events'), ...own('module/domain', 'module/events')],
    packages: NO_PACKAGE,
    why: 'an event is a plain fact in the words of its own domain',
  },
  'module/routes': {
    imports: [
      ...anyOf('core', 'wire', 'platform/http'),
      ...own('module/routes', 'module/present', 'module/service', 'module/domain', 'module/events'),
      ...typesOf('platform'),
    ],
    packages: { only: ['zod'], node: false },
    why: 'routes translate between wire and their own service; no SQL, no other module',
  },
  'module/operations': {
    imports: [
      ...anyOf('core', 'wire', 'platform', 'platform/database'),
      ...own('module/operations', 'module/service', 'module/domain', 'module/repository', 'module/present'),
      ...typesOf('platform/http'),
      lowerDoors,
    ],
    packages: NO_PACKAGE,
    why: 'operations serve to operators what wire describes; no SQL, no HTTP',
  },
  'module/present': {
    imports: [
      ...anyOf('core', 'wire'),
      ...own('module/present', 'module/service', 'module/domain', 'module/events'),
      ...typesOfOwn('module/repository'),
    ],
    packages: NO_PACKAGE,
    why: 'a presenter turns its own domain into what wire describes, and calls nothing',
  },
  'module/feed': {
    imports: [
      ...anyOf('core', 'wire', 'platform', 'platform/events'),
      ...own('module/feed', 'module/present', 'module/service', 'module/domain', 'module/events'),
      ...typesOf('platform/http'),
      lowerDoors,
    ],
    packages: NO_PACKAGE,
    why: 'a feed translates the events of its own module into topics of wire',
  },
  'module/door': {
    imports: [
      ...own('module/domain', 'module/repository', 'module/service', 'module/routes'),
      ...own('module/feed', 'module/events', 'module/operations'),
      ...typesOf('core', ...PLATFORM),
      typesOfLowerDoors,
    ],
    packages: NO_PACKAGE,
    why: 'a door shows its own module and nothing else',
  },
};

/**
 * The import rules of each layer. The layer `free` (tests, tools and benchmarks) has no rules, so its files may import
 * anything.
 */
export const LAYERS = {
  ...BASE_LAYERS,
  'platform/http': BASE_LAYERS.platform,
  'platform/database': BASE_LAYERS.platform,
  'platform/events': BASE_LAYERS.platform,
};
