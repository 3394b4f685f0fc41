import { isMark, tokensOf } from '../source/tokens.mjs';
import { layerOf } from './layers.mjs';

/**
 * Bans words and calls in parts of the code, such as reading the clock outside the clock module.
 *
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 * @typedef {import('../source/tokens.mjs').Token} Token
 * @typedef {{ rule: string, words: readonly string[], in: RegExp, except?: RegExp, why: string }} Ban
 */

const PRODUCTION = /^(packages|apps)\/[^/]+\/src\//;
const PURE = /^(packages\/core\/src\/|apps\/server\/src\/modules\/[^/]+\/([^/]+-)?domain[/.-])/;
const MONEY = /^(packages\/core\/src\/|apps\/server\/src\/modules\/(ledger|spot|matching)\/)/;
/**
 * Matches the files that may read the clock: the clock modules, and the programs of child processes, whose work is
 * never replayed.
 */
const CLOCKS =
  /^((apps\/server\/src\/platform|packages\/(web-kit|mcp)\/src)\/clock\.ts|apps\/server\/src\/platform\/children\/[^/]+\.mjs)$/;

/** @type {readonly Ban[]} */
const BANS = [
  {
    rule: 'one-clock',
    words: ['Date.now', 'new Date()', 'performance.now', 'process.hrtime', 'process.uptime'],
    in: PRODUCTION,
    except: CLOCKS,
    why: 'one file on each side reads the clock, so that tests and replays can set it',
  },
  {
    rule: 'one-configuration',
    words: ['process.env', "process['env']", "from 'node:process'", "from 'process'"],
    in: PRODUCTION,
    except: /^(apps\/server\/src\/config|packages\/mcp\/src\/main)\.ts$/,
    why: 'apps/server/src/config.ts is the only reader of the environment, and the main file of the assistants’ server',
  },
  {
    rule: 'money-is-decimal',
    words: ['parseFloat', 'Number(', 'Number.parseFloat', '.toFixed', 'Math.random'],
    in: MONEY,
    // The files `search-key.ts` and `locale.ts` calculate search keys and plural forms of numbers, not
    // amounts of money, so they may use floating point.
    except: /\/(?:matching\/domain\/book\/search-key|core\/src\/locale)\.ts$/,
    why: 'code that calculates money uses neither floating point nor random numbers',
  },
  {
    rule: 'pure',
    words: `async await Promise setTimeout setInterval setImmediate queueMicrotask
      Math.random crypto. process. fetch( console. import.meta`.split(/\s+/),
    in: PURE,
    why: 'pure code is synchronous, draws no random numbers and accesses nothing outside its arguments',
  },
  {
    rule: 'no-calls-in-screens',
    words: ['fetch(', 'new WebSocket', 'new XMLHttpRequest', 'new EventSource', 'sendBeacon'],
    in: /^apps\/(desktop|mobile|console)\/src\//,
    except: /\/service-worker\.ts$/,
    why: 'screens call the server through web-kit only',
  },
];

const COMPILED = BANS.map((ban) => ({ ...ban, patterns: ban.words.map((word) => tokensOf(word)) }));

/** @param {readonly SourceFile[]} sources @returns {Violation[]} */
export function wordViolations(sources) {
  return sources.flatMap((source) =>
    COMPILED.filter((ban) => appliesTo(ban, source.path)).flatMap((ban) => hitsOf(ban, source)),
  );
}

/** Returns whether the file at the path is subject to the ban. @param {Ban} ban @param {string} path */
function appliesTo(ban, path) {
  return ban.in.test(path) && !ban.except?.test(path) && layerOf(path)?.name !== 'free';
}

/**
 * @param {typeof COMPILED[number]} ban @param {SourceFile} source
 * @returns {Violation[]} one for each use of a word that the ban forbids
 */
function hitsOf(ban, source) {
  const { tokens, path } = source;
  return tokens.flatMap((token, at) => {
    const word = ban.patterns.findIndex((pattern) => isWrittenAt(tokens, at, pattern));
    if (word < 0) return [];
    return [{ file: path, line: token.line, rule: ban.rule, why: `${ban.words[word]}: ${ban.why}` }];
  });
}

/**
 * Returns whether the tokens from index `at` on are those of a banned word or call.
 * @param {readonly Token[]} tokens @param {number} at @param {readonly Token[]} pattern
 */
function isWrittenAt(tokens, at, pattern) {
  if (
    !pattern.every(
      ({ kind, value }, step) => tokens[at + step]?.kind === kind && tokens[at + step].value === value,
    )
  )
    return false;
  return pattern[0].kind !== 'word' || !isMember(tokens, at);
}

/**
 * Returns whether a word is a property of another object, as in `clock.process`, and therefore does not use the banned
 * name. `globalThis.process` and `...process` do use it. @param {readonly Token[]} tokens @param {number} at
 */
function isMember(tokens, at) {
  if (!isMark(tokens[at - 1], '.') || isMark(tokens[at - 2], '.')) return false;
  return !['globalThis', 'window', 'self'].includes(tokens[at - 2]?.value ?? '');
}
