import { Decimal } from '@exchange/core/decimal.ts';
import { yearlyRate } from '@exchange/core/finance.ts';
import type { finance } from '@exchange/wire/console/products.ts';
import type { FieldNeighbours, OperatorWarning } from '@exchange/wire/operation.ts';
import type { EvidenceOf } from '../../platform/console/operation.ts';
import { ceilingNeighbours, worthNeighbours } from '../../platform/console/neighbours.ts';
import { doubledWarnings, rateText } from '../../platform/console/warnings.ts';
import type { Market } from '../market/index.ts';
import type { EarnProduct, EarnTerms } from './domain.ts';
import type { Earn } from './service.ts';

/**
 * Number of decimals to which the costs of interest are rounded up; costs are in units of the product's coin.
 */
const COST_PLACES = 8;

/**
 * What the second operator who approves a product's terms sees: the new rate and amounts (not the texts, the number of
 * days and the times of the sale), the number of the published version with its daily rate and capacity, and the daily
 * cost of the new terms at full capacity.
 */
export async function termsEvidence<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  terms: Terms,
): Promise<EvidenceOf<typeof finance.publish>> {
  const { present: current } = await currentTerms(earn, terms);
  const { code, asset, dailyRate, startAmount, maxAmount, capacity } = terms;
  return {
    facts: {
      code,
      asset,
      versionNow: current?.version ?? 0,
      dailyRate,
      yearlyRate: yearlyRate(dailyRate),
      startAmount,
      maxAmount,
      capacity,
    },
    context: {
      dailyRateNow: current?.dailyRate,
      capacityNow: current?.capacity,
      housePaysDailyAtCapacity: dailyCostOf(terms),
    },
  };
}

/**
 * Warnings for terms that are more than twice the product's published ones: the daily rate, the number of
 * days, the minimum, the maximum per user and the capacity. The daily rate of a new product is compared with
 * the highest rate of any product of its kind in its coin; its other terms cause no warning.
 */
export async function rateWarnings<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  days: { readonly field: 'period' | 'cycle'; readonly of: (terms: Terms) => number },
  terms: Terms,
): Promise<readonly OperatorWarning[]> {
  const { present: current, highest } = await currentTerms(earn, terms);
  const { dailyRate, asset } = terms;
  const dailyCost = `${dailyCostOf(terms)} ${asset} a day at full capacity`;
  const cost = `${rateText(yearlyRate(dailyRate))} APR costs the house ${dailyCost}.`;
  return doubledWarnings([
    {
      field: 'dailyRate',
      label: 'Daily rate',
      next: dailyRate,
      present: current?.dailyRate ?? highest,
      isRate: true,
      cost,
    },
    {
      field: days.field,
      label: 'Days',
      next: days.of(terms),
      present: current && days.of(current),
      cost,
    },
    ...(['startAmount', 'maxAmount', 'capacity'] as const).map((field) => ({
      field,
      label: { startAmount: 'Minimum', maxAmount: 'Maximum per person', capacity: 'Capacity' }[field],
      next: terms[field],
      present: current?.[field],
      cost,
    })),
  ]);
}

/**
 * Texts that the preview of a product's terms shows beside the form fields: the highest values that may be published,
 * the amounts in USDT, and the cost of the interest.
 */
export function termsNeighbours<Terms extends EarnTerms>(
  kind: 'finance' | 'mining',
  daysOf: (terms: Terms) => number,
  terms: Terms,
  market: Pick<Market, 'usdtPrice'>,
): readonly FieldNeighbours[] {
  const { asset, capacity, dailyRate, maxAmount, startAmount } = terms;
  const daily = dailyCostOf(terms);
  const whole = daily.times(Decimal.ofWhole(daysOf(terms)), 'up', COST_PLACES);
  return [
    ...ceilingNeighbours(kind),
    ...worthNeighbours(asset, market.usdtPrice(asset), { startAmount, maxAmount, capacity }),
    {
      field: 'dailyRate',
      cost: `${rateText(yearlyRate(dailyRate))} APR; ${daily} ${asset} a day at full capacity`,
    },
    { field: 'capacity', cost: `${whole} ${asset} over the whole term when it is sold out` },
  ];
}

function dailyCostOf({ capacity, dailyRate }: EarnTerms): Decimal {
  return capacity.times(dailyRate, 'up', COST_PLACES);
}

/**
 * The published terms of the product, and the highest daily rate of any product of its kind in its coin; each
 * is undefined if there is none.
 */
async function currentTerms<Terms extends EarnTerms>(earn: Earn<Terms>, { code, asset }: Terms) {
  const products = (await earn.listProducts(undefined)).map(({ product }) => product);
  const current: EarnProduct<Terms> | undefined = products.find((product) => product.code === code);
  const rates = products.filter((product) => product.asset === asset).map(({ dailyRate }) => dailyRate);
  const highest = rates.reduce<Decimal | undefined>(
    (most, rate) => (most?.isMore(rate) === true ? most : rate),
    undefined,
  );
  return { present: current, highest };
}
