/**
 * Keeps the wire's historical spellings where they cannot be avoided: in packages/wire, which also has the screens' addresses.
 * Everything else says `deposit`, `withdrawal`, `convert`, `security`, `parameter`, `spot`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';
import { filesUnder } from './source/tree.mjs';

const READ = /\.(ts|tsx|mts|mjs|css|html|json|sql|webmanifest)$/;
const SPOKEN_HERE = /^(packages\/wire\/|apps\/[^/]+\/src\/paths\.test\.ts$|tools\/spelling\.)/;

/** Each also inside a longer name, such as `incomeRateText` or `SAFTY_PATH`. */
const ANYWHERE =
  'scontract safty withdrawel paramter bibi positionTime incomeRate canSeeAsserts totalAssert'.split(' ');
/** Each only as a word of its own or of a camel-case name, being a piece of proper words. */
const AS_A_WORD = ['recharge', 'dui'];

const LEGACY = [
  ...ANYWHERE.map((word) => ({ word, pattern: new RegExp(word, 'gi') })),
  ...AS_A_WORD.map((word) => ({ word, pattern: asAWord(word) })),
  // `assert` is a proper word of tests; as the first step of a route it is the old spelling of assets.
  { word: 'assert/', pattern: /(?<=['"`/])assert\/(?!strict)/g },
];

/** `recharge`, `rechargeList`, `myRecharge` and `RECHARGE_PATH`, not `precharged`. @param {string} word */
function asAWord(word) {
  const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  return new RegExp(`(?<![A-Za-z])(?:${word}|${word.toUpperCase()})(?![a-z])|${capital}(?![a-z])`, 'g');
}

/** @param {string} root a repository's folder @returns {import('./source/tree.mjs').Violation[]} */
export function spellingViolations(root) {
  return filesUnder(root)
    .filter((path) => READ.test(path) && !SPOKEN_HERE.test(path))
    .flatMap((path) => violationsIn(path, readFileSync(join(root, path), 'utf8')));
}

/** @param {string} path @param {string} text */
function violationsIn(path, text) {
  return text.split('\n').flatMap((line, index) =>
    LEGACY.filter(({ pattern }) => line.search(pattern) >= 0).map(({ word }) => ({
      file: path,
      line: index + 1,
      rule: 'legacy-spelling',
      why: `"${word}" belongs to packages/wire`,
    })),
  );
}

if (isStartedAs(import.meta.url)) report('spelling', spellingViolations(repositoryRoot));
