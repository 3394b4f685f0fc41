import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { closeFund, publishFund } from '@exchange/wire/console/products.ts';
import type { FieldNeighbours, OperatorWarning } from '@exchange/wire/operation.ts';
import type { EvidenceOf } from '../../platform/console/operation.ts';
import { ceilingNeighbours } from '../../platform/console/neighbours.ts';
import { doubledWarnings } from '../../platform/console/warnings.ts';
import type { FundTerms } from './domain.ts';
import type { Funds } from './service.ts';

const COST_PLACES = 8;

/**
 * What the second operator who approves a fund's terms sees: the new coin, leverages, rates and least margin,
 * and whether the fund accepts purchases (not the basket, the divisor, the quantity step and the texts); the
 * number of the published version (0 for a new fund), the fund's open notional value, the notional value of
 * further positions that the exchange can cover, and the unit value. Amounts are in units of the fund's coin.
 */
export async function termsEvidence(funds: Funds, terms: FundTerms): Promise<EvidenceOf<typeof publishFund>> {
  const published = await publishedFund(funds, terms.code);
  return {
    facts: {
      code: terms.code,
      asset: terms.asset,
      versionNow: published?.fund.version ?? 0,
      leverages: terms.leverages.join(' '),
      minAmount: terms.minAmount,
      manageRate: terms.manageRate,
      financeRate: terms.financeRate,
      mmr: terms.mmr,
      liqFee: terms.liqFee,
      takesPurchases: terms.isOpen,
    },
    context: {
      openNotional: published?.fund.openNotional,
      coverable: published?.coverable,
      value: published?.value?.value,
    },
  };
}

/**
 * What the second operator who approves the closing of a fund sees: the notional value of its open and pending
 * positions, and its current unit value. Refuses an unknown fund.
 */
export async function closingEvidence(funds: Funds, code: string): Promise<EvidenceOf<typeof closeFund>> {
  const published = await publishedFund(funds, code);
  if (published === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const { fund, value } = published;
  return {
    facts: {
      code,
      asset: fund.asset,
      versionNow: fund.version,
    },
    context: {
      openNotional: fund.openNotional,
      value: value?.value,
    },
  };
}

/**
 * Warnings for the rates, the maintenance margin, the liquidation fee and the least margin that are more than
 * twice the published ones; each states the effect of the change. A new fund has no warnings.
 */
export async function termsWarnings(funds: Funds, terms: FundTerms): Promise<readonly OperatorWarning[]> {
  const fund = (await publishedFund(funds, terms.code))?.fund;
  if (fund === undefined) return [];
  const { asset } = terms;
  const dailyCost = (rate: FundTerms['manageRate']) =>
    `${fund.openNotional.times(rate, 'up', COST_PLACES)} ${asset} a day`;
  return doubledWarnings([
    {
      field: 'manageRate',
      label: 'Management per day',
      next: terms.manageRate,
      present: fund.manageRate,
      isRate: true,
      cost: `For positions like those that are open it takes ${dailyCost(terms.manageRate)} from their owners, nothing from the house.`,
    },
    {
      field: 'financeRate',
      label: 'Financing per day',
      next: terms.financeRate,
      present: fund.financeRate,
      isRate: true,
      cost: `For positions like those that are open it takes at most ${dailyCost(terms.financeRate)} from their owners, nothing from the house.`,
    },
    {
      field: 'mmr',
      label: 'Maintenance margin',
      next: terms.mmr,
      present: fund.mmr,
      isRate: true,
      cost: 'New positions are liquidated earlier.',
    },
    {
      field: 'liqFee',
      label: 'Liquidation fee',
      next: terms.liqFee,
      present: fund.liqFee,
      isRate: true,
      cost: 'It is taken from whoever is liquidated and goes to the insurance pool.',
    },
    {
      field: 'minAmount',
      label: 'Least margin',
      next: terms.minAmount,
      present: fund.minAmount,
      cost: 'It costs the house nothing and keeps smaller purchases out.',
    },
  ]);
}

async function publishedFund(funds: Funds, code: string) {
  return (await funds.listFunds()).find(({ fund }) => fund.code === code);
}

/**
 * Texts that the preview of a fund's terms shows beside the form fields: the highest values that may be
 * published, the current unit value, the open notional value, and the daily amounts that owners would pay at
 * the new rates.
 */
export async function termsNeighbours(
  funds: Funds,
  { code, asset, manageRate, financeRate, minAmount }: FundTerms,
): Promise<readonly FieldNeighbours[]> {
  const published = await publishedFund(funds, code);
  const value = published?.value?.value;
  const open = published?.fund.openNotional ?? Decimal.zero;
  const daily = (rate: Decimal) =>
    `owners pay ${open.times(rate, 'up', COST_PLACES)} ${asset} a day on what is open now`;
  return [
    ...ceilingNeighbours('fund'),
    { field: 'divisor', market: value === undefined ? undefined : `one unit is worth ${value} ${asset} now` },
    {
      field: 'minAmount',
      market: `positions of ${open} ${asset} are open; the smallest new one is ${minAmount}`,
    },
    { field: 'manageRate', cost: daily(manageRate) },
    { field: 'financeRate', cost: daily(financeRate) },
  ];
}
