import type { Decimal } from '@exchange/core/decimal.ts';
import { yearlyRate } from '@exchange/core/finance.ts';
import type { OperatorWarning } from '@exchange/wire/operation.ts';
import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import { doubledWarnings, rateText } from '../../platform/console/warnings.ts';
import type { EarnProduct, EarnTerms } from './domain.ts';
import type { Earn } from './service.ts';

/** How many digits a cost is shown with, in units of the product's coin. */
const COST_PLACES = 8;

/** What is asked of a product's terms, beside the version that is published now and what the new ones cost. */
export async function termsEvidence<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  terms: Terms,
): Promise<ApprovalEvidence> {
  const { present } = await inForce(earn, terms);
  const { code, asset, dailyRate, startAmount, maxAmount, capacity } = terms;
  return {
    facts: {
      code,
      asset,
      versionNow: present?.version ?? 0,
      dailyRate,
      yearlyRate: yearlyRate(dailyRate),
      startAmount,
      maxAmount,
      capacity,
    },
    context: {
      dailyRateNow: present?.dailyRate,
      capacityNow: present?.capacity,
      housePaysDailyAtCapacity: costADay(terms),
    },
  };
}

/** What is more than twice the value in force; a new product is compared with the best paying one of its coin. */
export async function rateWarnings<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  days: { readonly field: 'period' | 'cycle'; readonly of: (terms: Terms) => number },
  terms: Terms,
): Promise<readonly OperatorWarning[]> {
  const { present, highest } = await inForce(earn, terms);
  const { dailyRate, asset } = terms;
  const daily = `${costADay(terms)} ${asset} a day at full capacity`;
  const cost = `${rateText(yearlyRate(dailyRate))} APR costs the house ${daily}.`;
  return doubledWarnings([
    {
      field: 'dailyRate',
      label: 'Daily rate',
      next: dailyRate,
      present: present?.dailyRate ?? highest,
      isRate: true,
      cost,
    },
    {
      field: days.field,
      label: 'Days',
      next: days.of(terms),
      present: present && days.of(present),
      cost,
    },
    ...(['startAmount', 'maxAmount', 'capacity'] as const).map((field) => ({
      field,
      label: { startAmount: 'Minimum', maxAmount: 'Maximum per person', capacity: 'Capacity' }[field],
      next: terms[field],
      present: present?.[field],
      cost,
    })),
  ]);
}

function costADay({ capacity, dailyRate }: EarnTerms): Decimal {
  return capacity.times(dailyRate, 'up', COST_PLACES);
}

/** The product's present terms, and the highest rate of any product of its coin. */
async function inForce<Terms extends EarnTerms>(earn: Earn<Terms>, { code, asset }: Terms) {
  const products = (await earn.offered(undefined)).map(({ product }) => product);
  const present: EarnProduct<Terms> | undefined = products.find((product) => product.code === code);
  const rates = products.filter((product) => product.asset === asset).map(({ dailyRate }) => dailyRate);
  const highest = rates.reduce<Decimal | undefined>(
    (most, rate) => (most?.isMore(rate) === true ? most : rate),
    undefined,
  );
  return { present, highest };
}
