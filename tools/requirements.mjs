/**
 * Checks that every requirement is cited in a test title, that test titles only cite requirements that exist, that no
 * requirement is defined twice, and that every row of the specification names a requirement.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';
import { filesUnder, sourcesUnder } from './source/tree.mjs';

/**
 * @typedef {import('./source/tree.mjs').Violation} Violation
 * @typedef {{ code: string, file: string, line: number }} Mention
 */

const CODE = '[A-Z][A-Z0-9]{1,11}-\\d{3,4}';
const DEFINITION = new RegExp(`^- \\*\\*(${CODE})\\*\\* +\\S`);
const LEADING_CODES = new RegExp(`^(?:${CODE}(?:[ ,·+]+|$))+`);
const TEST_FILE = /\.(test|spec)\.(tsx?|mjs)$/;
const TITLED = new Set(
  'it test describe each for only concurrent sequential skipIf runIf fails extend'.split(' '),
);

/** @param {string} root a repository's folder @returns {Violation[]} */
export function requirementViolations(root) {
  const definitions = definitionsUnder(root);
  const citations = citationsUnder(root);
  const defined = new Set(definitions.map(({ code }) => code));
  const cited = new Set(citations.map(({ code }) => code));
  return [
    ...rowsWithoutRequirement(root, defined),
    ...duplicates(definitions),
    ...definitions
      .filter(({ code }) => !cited.has(code))
      .map((mention) => violation(mention, `${mention.code} is cited by no test title`)),
    ...citations
      .filter(({ code }) => !defined.has(code))
      .map((mention) => violation(mention, `${mention.code} is defined nowhere in docs/requirements`)),
  ];
}

/**
 * Returns a violation for each row of the specification's table that names no requirement or an unknown requirement.
 * @param {string} root @param {ReadonlySet<string>} defined @returns {Violation[]}
 */
function rowsWithoutRequirement(root, defined) {
  const file = 'docs/requirements/specification.md';
  if (!existsSync(join(root, file))) return [];
  const codes = new RegExp(CODE, 'g');
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (!text.startsWith('|') || /^\| (?:asked|---)/.test(text)) return [];
      const mention = { code: 'row', file, line: index + 1 };
      const citedCodes = text.match(codes) ?? [];
      if (citedCodes.length === 0) return [violation(mention, 'this row names no sentence that proves it')];
      return citedCodes
        .filter((code) => !defined.has(code))
        .map((code) => violation({ ...mention, code }, `${code} is defined nowhere in docs/requirements`));
    });
}

/** @param {string} root @returns {Mention[]} the definitions of requirements in `docs/requirements` */
function definitionsUnder(root) {
  return filesUnder(root, ['docs/requirements'])
    .filter((path) => path.endsWith('.md'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          const code = DEFINITION.exec(text)?.[1];
          return code ? [{ code, file, line: index + 1 }] : [];
        }),
    );
}

/** @param {string} root @returns {Mention[]} the requirements that test titles begin with */
function citationsUnder(root) {
  return sourcesUnder(root)
    .filter(({ path }) => TEST_FILE.test(path))
    .flatMap(({ path, tokens }) =>
      tokens.flatMap((token, at) => {
        if (token.kind !== 'text' || !isTitle(tokens, at)) return [];
        const leading = LEADING_CODES.exec(token.value)?.[0] ?? '';
        return (leading.match(new RegExp(CODE, 'g')) ?? []).map((code) => ({
          code,
          file: path,
          line: token.line,
        }));
      }),
    );
}

/**
 * Returns whether a token is the title of a test. Titles of skipped tests do not count, because a skipped test checks
 * nothing. @param {readonly import('./source/tokens.mjs').Token[]} tokens @param {number} at
 */
function isTitle(tokens, at) {
  if (tokens[at - 1]?.value !== '(') return false;
  const callee = tokens[at - 2];
  return callee?.value === ')' || (callee?.kind === 'word' && TITLED.has(callee.value));
}

/** @param {readonly Mention[]} definitions @returns {Violation[]} one for each repeated definition */
function duplicates(definitions) {
  const seen = new Set();
  return definitions.flatMap((mention) => {
    if (seen.has(mention.code)) return [violation(mention, `${mention.code} is defined twice`)];
    seen.add(mention.code);
    return [];
  });
}

/** @param {Mention} mention @param {string} why @returns {Violation} */
function violation({ file, line }, why) {
  return { file, line, rule: 'requirement', why };
}

if (isStartedAs(import.meta.url)) report('requirements', requirementViolations(repositoryRoot));
