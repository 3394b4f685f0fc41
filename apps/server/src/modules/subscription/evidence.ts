import { Decimal } from '@exchange/core/decimal.ts';
import { pairSymbol } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { cancelProject, publishProject } from '@exchange/wire/console/products.ts';
import type { FieldNeighbours, OperatorWarning } from '@exchange/wire/operation.ts';
import type { EvidenceOf } from '../../platform/console/operation.ts';
import { ceilingNeighbours } from '../../platform/console/neighbours.ts';
import { doubledWarnings } from '../../platform/console/warnings.ts';
import type { ProjectTerms } from './domain.ts';
import type { Subscription } from './service.ts';

const COST_PLACES = 8;

/**
 * Returns evidence for the operator who approves a token sale's terms: the main new terms, the number of the
 * version that they replace, and the amount in the quote coin that the sale raises at most.
 */
export async function termsEvidence(
  subscription: Subscription,
  terms: ProjectTerms,
): Promise<EvidenceOf<typeof publishProject>> {
  const published = await publishedProject(subscription, terms.code);
  return {
    facts: {
      code: terms.code,
      symbol: terms.symbol,
      versionNow: published?.project.version ?? 0,
      issueAmount: terms.issueAmount,
      ratio: terms.ratio,
      quote: terms.quote,
      hardCapUser: terms.hardCapUser,
      startAt: terms.startAt,
      endAt: terms.endAt,
      listAt: terms.listAt,
    },
    context: { raisesAtMost: raisedBy(terms) },
  };
}

/**
 * Returns evidence for the operator who approves the cancellation of a token sale: the commitments that would
 * be refunded. Refuses an unknown sale.
 */
export async function cancelEvidence(
  subscription: Subscription,
  code: string,
): Promise<EvidenceOf<typeof cancelProject>> {
  const published = await publishedProject(subscription, code);
  if (published === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const { project } = published;
  return {
    facts: {
      code,
      symbol: project.symbol,
      versionNow: project.version,
      stage: project.stage,
      quote: project.quote,
    },
    context: {
      committed: project.committed,
      participants: project.participants,
      endAt: project.endAt,
    },
  };
}

/**
 * Returns warnings for the operator about values of new terms that are more than twice the published values.
 * Each states the amount in the quote coin that the sale of all offered tokens would raise. Empty for a
 * project that is not published yet.
 */
export async function termsWarnings(
  subscription: Subscription,
  terms: ProjectTerms,
): Promise<readonly OperatorWarning[]> {
  const project = (await publishedProject(subscription, terms.code))?.project;
  if (project === undefined) return [];
  const cost = `The whole offer then raises ${raisedBy(terms)} ${terms.quote}.`;
  const labels = {
    totalSupply: 'Total supply',
    issueAmount: 'Offered',
    ratio: 'Tokens per quote unit',
    hardCapUser: 'Most tokens of one person',
    minAmount: 'Minimum commitment',
    maxAmount: 'Maximum commitment',
    softCap: 'Soft cap',
    lockDays: 'Locked, days',
    linearDays: 'Released over, days',
  } as const;
  return doubledWarnings(
    Object.entries(labels).map(([name, label]) => {
      const field = name as keyof typeof labels;
      return { field, label, next: terms[field], present: project[field], cost };
    }),
  );
}

/**
 * Returns the values that the preview of a sale's terms shows for comparison: ceilings, the token's market
 * price and sale price, and the amount in the quote coin that the sale of all offered tokens raises.
 */
export function termsNeighbours(
  terms: ProjectTerms,
  priceOf: (symbol: string) => Decimal | undefined,
): readonly FieldNeighbours[] {
  const { symbol, quote, ratio } = terms;
  const price = Decimal.one.over(ratio, 'up', COST_PLACES);
  const market = priceOf(pairSymbol(symbol, quote));
  return [
    ...ceilingNeighbours('subscription'),
    {
      field: 'ratio',
      market: market === undefined ? `${symbol} is not traded yet` : `${symbol} trades at ${market} ${quote}`,
      cost: `nothing; one ${symbol} is sold at ${price} ${quote}`,
    },
    { field: 'issueAmount', cost: `nothing; the whole offer raises ${raisedBy(terms)} ${quote}` },
  ];
}

/** Returns the amount in the quote coin that the sale of all offered tokens raises. */
function raisedBy({ issueAmount, ratio }: ProjectTerms) {
  return issueAmount.over(ratio, 'up', COST_PLACES);
}

async function publishedProject(subscription: Subscription, code: string) {
  return (await subscription.projects()).find(({ project }) => project.code === code);
}
