import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { declareVoid, setTerms } from '@exchange/wire/console/seconds.ts';
import type { FieldNeighbours, OperatorWarning } from '@exchange/wire/operation.ts';
import type { EvidenceOf } from '../../platform/console/operation.ts';
import { ceilingNeighbours } from '../../platform/console/neighbours.ts';
import { doubledWarnings, rateText, type ComparedTerm } from '../../platform/console/warnings.ts';
import type { SecondsTerms } from './domain.ts';
import type { Seconds } from './service.ts';

const COST_PLACES = 8;
const HALF = Decimal.parse('0.5');

/**
 * Evidence for the operator who approves new terms of the contract. For the new terms: whether positions can be opened,
 * the highest profit rate, the fee rate, the maximum stake, the pairs, and the highest cost of one position to the
 * exchange. For the published terms: version and highest profit rate. Amounts are in the quote coin.
 */
export async function termsEvidence(
  seconds: Seconds,
  terms: SecondsTerms,
): Promise<EvidenceOf<typeof setTerms>> {
  const published = await seconds.terms();
  const rate = highestRate(terms);
  return {
    facts: {
      versionNow: published?.version ?? 0,
      isOpen: terms.isOpen,
      highestRate: rate,
      feeRate: terms.feeRate,
      maxStake: terms.maxStake,
      symbols: terms.symbols.join(' '),
    },
    context: {
      highestRateNow: published && highestRate(published),
      mostOnePositionCosts: terms.maxStake.times(rate, 'up', COST_PLACES),
    },
  };
}

/**
 * Warnings for each value of the new terms that is more than twice the published one; none if no terms are published.
 * The rate of a new duration is compared with the highest published rate.
 */
export async function termsWarnings(
  seconds: Seconds,
  terms: SecondsTerms,
): Promise<readonly OperatorWarning[]> {
  const published = await seconds.terms();
  if (published === undefined) return [];
  const { maxStake, feeRate } = terms;
  const durations = terms.durations.flatMap(({ second, rate, minimum }): ComparedTerm[] => {
    const publishedDuration = published.durations.find((duration) => duration.second === second);
    const margin = Decimal.one.minus(rate).times(HALF, 'down');
    return [
      {
        field: 'durations',
        label: `Rate of ${second} s`,
        next: rate,
        present: publishedDuration?.rate ?? highestRate(published),
        isRate: true,
        cost: `A win of the greatest stake costs the house ${maxStake.times(rate, 'up', COST_PLACES)}; at even odds it keeps ${rateText(margin)} of the stakes.`,
      },
      {
        field: 'durations',
        label: `Minimum of ${second} s`,
        next: minimum,
        present: publishedDuration?.minimum,
        cost: 'It costs the house nothing and keeps smaller stakes out.',
      },
    ];
  });
  return doubledWarnings([
    ...durations,
    {
      field: 'feeRate',
      label: 'Fee rate',
      next: feeRate,
      present: published.feeRate,
      isRate: true,
      cost: `It takes up to ${maxStake.times(feeRate, 'up', COST_PLACES)} from one position, nothing from the house.`,
    },
    {
      field: 'maxStake',
      label: 'Maximum of one position',
      next: maxStake,
      present: published.maxStake,
      cost: `One win can cost the house ${maxStake.times(highestRate(terms), 'up', COST_PLACES)}.`,
    },
  ]);
}

/**
 * Values that the preview of terms shows next to the fields for comparison, e.g. index prices and the exchange's
 * margin by duration.
 */
export async function termsNeighbours(
  seconds: Seconds,
  terms: SecondsTerms,
): Promise<readonly FieldNeighbours[]> {
  const { durations, feeRate, maxStake, symbols } = terms;
  const worst = (await seconds.exposures()).reduce(
    (total, { value = Decimal.zero }) => total.plus(value),
    Decimal.zero,
  );
  const prices = symbols.map((symbol) => {
    const { base, quote } = seconds.pairOf(symbol);
    return `${base}/${quote} ${seconds.indexOf(symbol)?.toString() ?? 'without an index'}`;
  });
  const margins = durations.map(
    ({ second, rate }) => `${second} s keeps ${rateText(Decimal.one.minus(rate).times(HALF, 'down'))}`,
  );
  return [
    ...ceilingNeighbours('seconds'),
    { field: 'symbols', market: prices.join(', ') },
    { field: 'durations', cost: `at even odds ${margins.join(', ')}` },
    {
      field: 'maxStake',
      market: `open positions can cost ${worst} at worst`,
      cost: `one win ${maxStake.times(highestRate(terms), 'up', COST_PLACES)}`,
    },
    {
      field: 'feeRate',
      cost: `nothing; takes up to ${maxStake.times(feeRate, 'up', COST_PLACES)} from one position`,
    },
  ];
}

/**
 * Evidence for the operator who approves voiding an interval: the period and the losses that the
 * exchange would refund.
 */
export async function voidEvidence(
  seconds: Seconds,
  symbol: string,
  period: { readonly from: Instant; readonly to: Instant },
): Promise<EvidenceOf<typeof declareVoid>> {
  const [losses] = await seconds.lossesIn(symbol, period);
  return {
    facts: { symbol, fromAt: period.from, untilAt: period.to },
    context: {
      lossesToRefund: losses?.count ?? 0,
      refundCostsHouse: losses?.amount ?? Decimal.zero,
    },
  };
}

function highestRate({ durations }: Pick<SecondsTerms, 'durations'>): Decimal {
  return durations.reduce((most, { rate }) => (rate.isMore(most) ? rate : most), Decimal.zero);
}
