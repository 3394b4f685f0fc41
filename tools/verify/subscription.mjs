#!/usr/bin/env node
// Recomputes the allocation of a token sale from its two public files:
//   node tools/verify/subscription.mjs commitments.json result.json [project.json]
// If the published project is given, its hashes are also compared. The exit code is 1 if a file does not verify.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ceil, EIGHTH, ONE, sha256, units } from './tape.mjs';

/**
 * Allocates tokens by water-filling. The bound of a buyer is the smaller of the cap and the tokens that the commitment
 * pays for. In each round, buyers whose proportional share of the remaining tokens reaches their bound receive the
 * bound and take no part in further rounds. As soon as no buyer reaches the bound, the remaining tokens are shared in
 * proportion. Amounts are in units of the 18th decimal.
 * @param {readonly bigint[]} amounts @param {{ issued: bigint; ratio: bigint; cap: bigint; digits: number }} terms
 * @returns {bigint[]} tokens, rounded down to the token's digits
 */
export function divided(amounts, { issued, ratio, cap, digits }) {
  const bounds = amounts.map((amount) => {
    const paid = (amount * ratio) / ONE;
    return paid < cap ? paid : cap;
  });
  const allocations = amounts.map(() => 0n);
  let open = [...amounts.keys()];
  let remaining = issued;
  for (;;) {
    const total = open.reduce((sum, at) => sum + amounts[at], 0n);
    const leaving = new Set(open.filter((at) => remaining * amounts[at] >= bounds[at] * total));
    for (const at of leaving) allocations[at] = bounds[at];
    for (const at of leaving) remaining -= bounds[at];
    open = open.filter((at) => !leaving.has(at));
    if (leaving.size > 0) continue;
    for (const at of open) allocations[at] = (remaining * amounts[at]) / total;
    const unit = 10n ** BigInt(18 - digits);
    return allocations.map((tokens) => (tokens / unit) * unit);
  }
}

/**
 * @param {string} commitmentText @param {string} resultText @param {any} [project]
 * @returns {string | undefined} what is wrong with a sale
 */
export function saleFault(commitmentText, resultText, project) {
  const [announced, result] = [JSON.parse(commitmentText), JSON.parse(resultText)];
  const { commitments } = announced;
  const { results, terms, isRefunded } = result;
  const hash = sha256(commitmentText);
  if (hash !== result.commitmentHash) return 'the commitments are not those of the result';
  if (project !== undefined && project.commitmentHash !== hash) return 'other commitments were announced';
  if (project !== undefined && project.resultHash !== sha256(resultText))
    return 'another result was published';
  if (announced.project !== result.project || announced.quote !== result.quote) return 'files of two sales';
  if (result.algorithm !== 'wf-1') return 'another algorithm';
  if (commitments.some(({ line }, at) => at > 0 && line <= commitments[at - 1].line))
    return 'a line stands twice';
  if (results.length !== commitments.length) return 'another number of lines';
  const term = (field) => units(terms[field]);
  const bounds = {
    issued: term('issueAmount'),
    ratio: term('ratio'),
    cap: term('hardCapUser'),
    digits: terms.tokenDigits,
  };
  const amounts = commitments.map(({ amount }) => units(amount));
  const allocations = isRefunded ? amounts.map(() => 0n) : divided(amounts, bounds);
  for (const [at, { line, amount, allocated, cost, refund }] of results.entries()) {
    if (line !== commitments[at].line || amount !== commitments[at].amount)
      return `line ${line} was not committed`;
    if (units(allocated) !== allocations[at]) return `line ${line} has another allocation`;
    const price = ceil(allocations[at] * ONE, bounds.ratio * EIGHTH) * EIGHTH;
    if (units(cost) !== price || units(refund) !== amounts[at] - price)
      return `line ${line} has another cost`;
  }
  const isMore = allocations.reduce((sum, tokens) => sum + tokens, 0n) > bounds.issued;
  return isMore ? 'more was given than there was' : undefined;
}

/**
 * Returns the text of a public file of a token sale. The file at `path` is that file itself, or an API response that
 * contains its text.
 */
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
