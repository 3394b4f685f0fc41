#!/usr/bin/env node
// Divides the tokens of a sale once more, from its two public files:
//   node tools/verify/subscription.mjs commitments.json result.json [project.json]
// With the project as it is published, its hashes are compared too. Ends with 1 where something does not hold.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ceil, EIGHTH, ONE, sha256, units } from './tape.mjs';

/**
 * Water-filling, round by round: everybody's bound is the cap or what they committed for; whoever's share of what is left
 * reaches their bound gets it and leaves; when nobody does, the rest is shared in proportion. Units of the 18th decimal.
 * @param {readonly bigint[]} amounts @param {{ issued: bigint; ratio: bigint; cap: bigint; digits: number }} terms
 * @returns {bigint[]} tokens, cut to the token's digits
 */
export function divided(amounts, { issued, ratio, cap, digits }) {
  const bounds = amounts.map((amount) => {
    const paid = (amount * ratio) / ONE;
    return paid < cap ? paid : cap;
  });
  const given = amounts.map(() => 0n);
  let rest = [...amounts.keys()];
  let left = issued;
  for (;;) {
    const total = rest.reduce((all, at) => all + amounts[at], 0n);
    const leaving = new Set(rest.filter((at) => left * amounts[at] >= bounds[at] * total));
    for (const at of leaving) given[at] = bounds[at];
    for (const at of leaving) left -= bounds[at];
    rest = rest.filter((at) => !leaving.has(at));
    if (leaving.size > 0) continue;
    for (const at of rest) given[at] = (left * amounts[at]) / total;
    const unit = 10n ** BigInt(18 - digits);
    return given.map((tokens) => (tokens / unit) * unit);
  }
}

/** @param {string} commitmentText @param {string} resultText @param {any} [project] @returns {string | undefined} what is wrong with a sale */
export function saleFault(commitmentText, resultText, project) {
  const [made, result] = [JSON.parse(commitmentText), JSON.parse(resultText)];
  const { commitments } = made;
  const { results, terms, isRefunded } = result;
  const hash = sha256(commitmentText);
  if (hash !== result.commitmentHash) return 'the commitments are not those of the result';
  if (project !== undefined && project.commitmentHash !== hash) return 'other commitments were announced';
  if (project !== undefined && project.resultHash !== sha256(resultText))
    return 'another result was published';
  if (made.project !== result.project || made.quote !== result.quote) return 'files of two sales';
  if (result.algorithm !== 'wf-1') return 'another algorithm';
  if (commitments.some(({ line }, at) => at > 0 && line <= commitments[at - 1].line))
    return 'a line stands twice';
  if (results.length !== commitments.length) return 'another number of lines';
  const of = (field) => units(terms[field]);
  const bounds = {
    issued: of('issueAmount'),
    ratio: of('ratio'),
    cap: of('hardCapUser'),
    digits: terms.tokenDigits,
  };
  const amounts = commitments.map(({ amount }) => units(amount));
  const given = isRefunded ? amounts.map(() => 0n) : divided(amounts, bounds);
  for (const [at, { line, amount, allocated, cost, refund }] of results.entries()) {
    if (line !== commitments[at].line || amount !== commitments[at].amount)
      return `line ${line} was not committed`;
    if (units(allocated) !== given[at]) return `line ${line} has another allocation`;
    const price = ceil(given[at] * ONE, bounds.ratio * EIGHTH) * EIGHTH;
    if (units(cost) !== price || units(refund) !== amounts[at] - price)
      return `line ${line} has another cost`;
  }
  const isMore = given.reduce((all, tokens) => all + tokens, 0n) > bounds.issued;
  return isMore ? 'more was given than there was' : undefined;
}

/** The text of a public file, as it was written or as the call gives it. */
function contentOf(path) {
  const text = readFileSync(path, 'utf8');
  const parsed = JSON.parse(text);
  return (parsed.data ?? parsed).content ?? text.trimEnd();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  let fault;
  try {
    const [commitments, result, project] = process.argv.slice(2).map(contentOf);
    const published = project === undefined ? undefined : JSON.parse(project);
    fault = saleFault(commitments, result, published?.data ?? published);
  } catch (cause) {
    fault = cause.message;
  }
  console.log(fault ?? 'holds');
  if (fault !== undefined) process.exitCode = 1;
}
