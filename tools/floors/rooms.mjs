/**
 * The rooms of the house and what each may import: the one table to change when a floor changes.
 *
 * @typedef {'own' | 'lower' | 'any'} Owner
 *   `own`: the same module, feature or app; `lower`: a module of a lower level.
 * @typedef {{ room: string, owner: Owner, typesOnly: boolean }} Permit
 * @typedef {{ only?: readonly string[], except?: readonly string[], node: boolean | readonly string[] }} Packages
 *   `only` and `except` name npm packages, `@scope/*` a whole scope; `node` says which built-in modules.
 * @typedef {{ permits: readonly Permit[], packages: Packages, why: string }} Lease
 * @typedef {{ name: string, owner: string }} Room
 */

/** Lowest first; a module calls modules of lower levels only, and is told by events what happens above it. */
const LEVELS = [
  ['identity', 'parameters', 'assets'],
  ['ledger', 'market', 'messages', 'files', 'board'],
  ['kyc', 'support', 'chains', 'matching', 'earn'],
  'spot seconds finance mining fund subscription deposits withdrawals convert invite faucet'.split(' '),
  ['portfolio', 'watchlist', 'proofs', 'operators', 'customers', 'public-api', 'liquidity'],
];

/** @param {string} module @returns {number | null} 1 is the lowest; null for a module without a place yet */
export function levelOf(module) {
  const index = LEVELS.findIndex((modules) => modules.includes(module));
  return index < 0 ? null : index + 1;
}

/** First match wins; the first group, if any, names the owner. @type {readonly (readonly [RegExp, string])[]} */
const PLACES = [
  [/\.(test|spec)\.(tsx?|mjs)$/, 'free'],
  [/^(e2e|bench|tools)\//, 'free'],
  [/^(apps|packages)\/([^/]+\/)+testing\//, 'free'],
  [/^(apps|packages)\/[^/]+\/[^/]+\.config\.ts$/, 'free'],
  [/^packages\/core\/src\//, 'core'],
  [/^packages\/wire\/src\//, 'wire'],
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
    /^apps\/server\/src\/((app|compose|desk|house|live-readiness|money|products|public-facts|resources|watch-health)\.ts$|commands\/)/,
    'server/app',
  ],
  [/^apps\/server\/src\/((evm-|operator-)?config|setting-fields)\.ts$/, 'server/config'],
  [/^apps\/server\/src\/platform\/http(\/|\.ts$)/, 'platform/http'],
  [/^apps\/server\/src\/platform\/(database(\/|\.ts$)|sequencer\/row-writer\.ts$)/, 'platform/database'],
  [/^apps\/server\/src\/platform\/events(\/|\.ts$)/, 'platform/events'],
  [/^apps\/server\/src\/platform\//, 'platform'],
  [/^apps\/server\/src\/modules\/([^/]+)\/index\.ts$/, 'module/door'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?domain([/.-])/, 'module/domain'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?(repository|tables)([/.-])/, 'module/repository'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?routes([/.-])/, 'module/routes'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?present([/.-])/, 'module/present'],
  [/^apps\/server\/src\/modules\/([^/]+)\/([^/]+-)?feed([/.-])/, 'module/feed'],
  [/^apps\/server\/src\/modules\/([^/]+)\/events([/.])/, 'module/events'],
  [/^apps\/server\/src\/modules\/([^/]+)\//, 'module/service'],
  [/^apps\/(desktop|mobile|console)\/src\//, 'screen'],
  // What operators read when something is wrong; the console shows it.
  [/^docs\/runbook\.md$/, 'runbook'],
];

/** @param {string} path @returns {Room | null} null for a file that lies in no room */
export function roomOf(path) {
  for (const [place, name] of PLACES) {
    const match = place.exec(path);
    if (match) return { name, owner: match[1] ?? '' };
  }
  return null;
}

/** @param {string[]} rooms @returns {Permit[]} */
const anyOf = (...rooms) => rooms.map((room) => ({ room, owner: 'any', typesOnly: false }));
/** @param {string[]} rooms @returns {Permit[]} */
const own = (...rooms) => rooms.map((room) => ({ room, owner: 'own', typesOnly: false }));
/** @param {string[]} rooms @returns {Permit[]} */
const typesOf = (...rooms) => rooms.map((room) => ({ room, owner: 'any', typesOnly: true }));
/** @param {string[]} rooms @returns {Permit[]} */
const typesOfOwn = (...rooms) => rooms.map((room) => ({ room, owner: 'own', typesOnly: true }));
/** @type {Permit} */
const lowerDoors = { room: 'module/door', owner: 'lower', typesOnly: false };
/** @type {Permit} */
const typesOfLowerDoors = { ...lowerDoors, typesOnly: true };

const PLATFORM = ['platform', 'platform/http', 'platform/database', 'platform/events'];
const KIT = ['kit/ui', 'kit/theme', 'kit/shared'];
const ANY_PACKAGE = { node: true };
const NO_PACKAGE = { only: [], node: false };
const BROWSER_PACKAGE = {
  except: ['fastify', '@fastify/*', 'pg', 'kysely', 'ws', 'nodemailer'],
  node: false,
};
const UI_KIT = ['react', 'react-dom', 'react-router', '@mantine/*', 'lucide-react'];
const SQL_AND_HTTP = ['kysely', 'pg', 'fastify', '@fastify/*', 'ws'];
const NODE_WITHOUT_IO = ['node:crypto', 'node:util', 'node:buffer', 'node:events', 'node:zlib'];

/** @type {Readonly<Record<string, Lease>>} */
const ROOM_LEASES = {
  core: {
    permits: anyOf('core'),
    packages: NO_PACKAGE,
    why: 'core imports nothing but itself, so that it runs and replays everywhere',
  },
  wire: {
    permits: anyOf('wire', 'core'),
    packages: { only: ['zod'], node: false },
    why: 'wire describes calls with core and zod only',
  },
  'kit/ui': {
    permits: anyOf('kit/ui', 'kit/theme'),
    packages: { only: [...UI_KIT, 'react-number-format'], node: false },
    why: 'a part of the user interface knows React and the UI kit, but no coin, no call and no feature',
  },
  'kit/theme': {
    permits: anyOf('kit/theme', 'kit/shared'),
    packages: BROWSER_PACKAGE,
    why: 'the theme knows no feature and no call',
  },
  'kit/shared': {
    permits: anyOf(...KIT, 'core', 'wire'),
    packages: BROWSER_PACKAGE,
    why: 'a shared folder of web-kit knows no feature and no server',
  },
  'kit/market': {
    permits: anyOf(...KIT, 'kit/market', 'core', 'wire'),
    packages: BROWSER_PACKAGE,
    why: 'pairs and prices are below every feature that trades them',
  },
  'kit/feature': {
    permits: [...anyOf(...KIT, 'kit/market', 'core', 'wire'), ...own('kit/feature')],
    packages: BROWSER_PACKAGE,
    why: 'a feature of web-kit uses the shared folders and the market, never another feature',
  },
  screen: {
    permits: [...own('screen'), ...anyOf(...KIT, 'kit/market', 'kit/feature', 'core', 'runbook')],
    packages: { only: UI_KIT, node: false },
    why: 'a screen uses web-kit, core, React, the router and the UI kit; calls, queries and other apps lie behind web-kit',
  },
  'server/main': {
    permits: anyOf('server/app', 'server/config', 'core', ...PLATFORM),
    packages: ANY_PACKAGE,
    why: 'the process reads its settings and starts the app; it knows no module',
  },
  'server/app': {
    permits: anyOf('server/app', 'server/config', 'module/door', 'core', 'wire', ...PLATFORM),
    packages: ANY_PACKAGE,
    why: 'the app knows modules by their doors only',
  },
  'server/config': {
    permits: [...anyOf('core', 'server/config'), ...typesOf(...PLATFORM)],
    packages: ANY_PACKAGE,
    why: 'the settings depend on nothing that is built from them',
  },
  platform: {
    permits: [...anyOf('core', 'wire', ...PLATFORM), ...typesOf('server/config')],
    packages: ANY_PACKAGE,
    why: 'the platform carries the modules and knows none of them',
  },
  'module/domain': {
    permits: [...anyOf('core'), ...own('module/domain'), typesOfLowerDoors],
    packages: NO_PACKAGE,
    why: "a domain is pure: core, itself, and types from other modules' doors",
  },
  'module/repository': {
    permits: [
      ...anyOf('core', 'platform/database'),
      ...own('module/repository', 'module/domain', 'module/events'),
      ...typesOfOwn('module/service'),
      ...typesOf(...PLATFORM),
    ],
    packages: { only: ['kysely', 'pg'], node: false },
    why: 'a repository speaks SQL about its own tables and knows its own domain, nothing else',
  },
  'module/service': {
    permits: [
      ...anyOf('core', 'platform', 'platform/database', 'platform/events'),
      ...own('module/service', 'module/domain', 'module/repository', 'module/events', 'module/present'),
      ...typesOf('platform/http', 'wire'),
      lowerDoors,
    ],
    packages: { except: SQL_AND_HTTP, node: NODE_WITHOUT_IO },
    why: 'a service uses its own module, the platform and the doors of lower modules; no SQL, no HTTP',
  },
  'module/events': {
    permits: [...anyOf('core', 'platform/events'), ...own('module/domain', 'module/events')],
    packages: NO_PACKAGE,
    why: 'an event is a plain fact in the words of its own domain',
  },
  'module/routes': {
    permits: [
      ...anyOf('core', 'wire', 'platform/http'),
      ...own('module/routes', 'module/present', 'module/service', 'module/domain', 'module/events'),
      ...typesOf('platform'),
    ],
    packages: { only: ['zod'], node: false },
    why: 'routes translate between wire and their own service; no SQL, no other module',
  },
  'module/present': {
    permits: [
      ...anyOf('core', 'wire'),
      ...own('module/present', 'module/service', 'module/domain', 'module/events'),
      ...typesOfOwn('module/repository'),
    ],
    packages: NO_PACKAGE,
    why: 'a presenter turns its own domain into what wire describes, and asks nobody',
  },
  'module/feed': {
    permits: [
      ...anyOf('core', 'wire', 'platform', 'platform/events'),
      ...own('module/feed', 'module/present', 'module/service', 'module/domain', 'module/events'),
      ...typesOf('platform/http'),
      lowerDoors,
    ],
    packages: NO_PACKAGE,
    why: 'a feed translates what its own module tells into topics of wire',
  },
  'module/door': {
    permits: [
      ...own('module/domain', 'module/repository', 'module/service', 'module/routes'),
      ...own('module/feed', 'module/events'),
      ...typesOf('core', ...PLATFORM),
      typesOfLowerDoors,
    ],
    packages: NO_PACKAGE,
    why: 'a door shows its own module and nothing else',
  },
};

/** What each room may import; a `free` room (tests, tools, measurements) has no lease and may import anything. */
export const LEASES = {
  ...ROOM_LEASES,
  'platform/http': ROOM_LEASES.platform,
  'platform/database': ROOM_LEASES.platform,
  'platform/events': ROOM_LEASES.platform,
};
