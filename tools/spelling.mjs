/**
 * Checks that the misspelled names of the specification are only used in packages/wire, which defines the wire format
 * and the screens' addresses, and in the tests of those addresses. All other code must use `deposit`, `withdrawal`,
 * `convert`, `security`, `parameter` and `spot`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';
import { filesUnder } from './source/tree.mjs';

const CHECKED_FILES = /\.(ts|tsx|mts|mjs|css|html|json|sql|webmanifest)$/;
const ALLOWED_FILES = /^(packages\/wire\/|apps\/[^/]+\/src\/paths\.test\.ts$|tools\/spelling\.)/;

/**
 * Misspelled words that are forbidden everywhere, also as a part of a longer name such as `incomeRateText` or
 * `SAFTY_PATH`.
 */
const ANYWHERE =
  'scontract safty withdrawel paramter bibi positionTime incomeRate canSeeAsserts totalAssert'.split(' ');
/**
 * Misspelled words that are only forbidden as a whole word or as a part of a camel-case name, because correct words
 * contain them.
 */
const AS_A_WORD = ['recharge', 'dui'];

const LEGACY = [
  ...ANYWHERE.map((word) => ({ word, pattern: new RegExp(word, 'gi') })),
  ...AS_A_WORD.map((word) => ({ word, pattern: wordPattern(word) })),
  // `assert` is a correct word in tests. As the first segment of a route, `assert` is the misspelling of `assets`.
  { word: 'assert/', pattern: /(?<=['"`/])assert\/(?!strict)/g },
];

/**
 * Returns a pattern for the word in identifiers. For `recharge` it matches `recharge`, `rechargeList`,
 * `myRecharge` and `RECHARGE_PATH`, but not `precharged`. @param {string} word
 */
function wordPattern(word) {
  const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  return new RegExp(`(?<![A-Za-z])(?:${word}|${word.toUpperCase()})(?![a-z])|${capital}(?![a-z])`, 'g');
}

/** @param {string} root a repository's folder @returns {import('./source/tree.mjs').Violation[]} */
export function spellingViolations(root) {
  return filesUnder(root)
    .filter((path) => CHECKED_FILES.test(path) && !ALLOWED_FILES.test(path))
    .flatMap((path) => violationsIn(path, readFileSync(join(root, path), 'utf8')));
}

/**
 * Returns the violations in the text of a file: for each line one for each forbidden spelling that it contains.
 * @param {string} path @param {string} text
 */
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
