import { Decimal } from '@exchange/core/decimal.ts';
import { bought, dailyCost, fundBuyProblem, thresholdOf, type FundOnSale } from '@exchange/core/fund.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { typedAmount } from '../form/decimal-text.ts';
import type { Fund } from './queries.ts';

/** What somebody fills in to buy; the trade password is asked for by the form around it. */
export interface FundTicket {
  /** Plain decimal text, empty, or what was typed that is no number. */
  readonly margin: string;
  readonly leverage: string;
}

/** Why the ticket cannot be sent, by field. */
export function ticketProblems(
  { margin: text, leverage }: FundTicket,
  fund: Fund,
  available: Decimal | undefined,
): { readonly margin?: Refusal } {
  const typed = typedAmount('margin', text, fund.digits);
  if (!typed.ok) return { margin: typed.refusal };
  const margin = typed.value;
  // What is not known yet refuses nothing here; the exchange knows it.
  const problem = fundBuyProblem(onSale(fund), { margin, leverage: Number(leverage) }, available ?? margin);
  return problem === undefined ? {} : { margin: problem };
}

/** What a margin would buy at a value, and where it would end. */
export interface TicketResult {
  readonly quantity: string;
  readonly usedMargin: string;
  readonly notional: string;
  readonly dailyCost: string;
  readonly liqPrice: string | undefined;
  /** How far the value may fall until then, a fraction. */
  readonly room: string | undefined;
}

/** The preview of a ticket, by the formulas that the exchange uses; undefined where it is none. */
export function ticketResult(
  { margin: text, leverage: chosen }: FundTicket,
  fund: Fund,
  value: string | undefined,
): TicketResult | undefined {
  const margin = Decimal.tryParse(text);
  if (margin?.isPositive() !== true || value === undefined) return undefined;
  const leverage = Number(chosen);
  const nav = Decimal.parse(value);
  const { quantity, usedMargin, notional } = bought(margin, leverage, nav, Decimal.parse(fund.step));
  if (!quantity.isPositive()) return undefined;
  const holding = { quantity, buyPrice: nav, margin: usedMargin, costs: Decimal.zero, leverage };
  const [mmr, liqFee] = [Decimal.parse(fund.mmr), Decimal.parse(fund.liqFee)];
  const rates = {
    manageRate: Decimal.parse(fund.manageRate),
    financeRate: Decimal.parse(fund.financeRate),
  };
  const threshold = thresholdOf(holding, mmr);
  return {
    ...{ quantity: quantity.toString(), usedMargin: usedMargin.toString(), notional: notional.toString() },
    dailyCost: dailyCost(holding, nav, { ...rates, mmr, liqFee }).toString(),
    liqPrice: threshold?.rounded(8, 'up').toString(),
    room: threshold && threshold.minus(nav).over(nav, 'halfEven', 4).toString(),
  };
}

const STATUSES = { 1: 'open', 2: 'stopped', 3: 'closed' } as const;

function onSale(fund: Fund): FundOnSale {
  return {
    ...{ asset: fund.currency, digits: fund.digits, minAmount: Decimal.parse(fund.minAmount) },
    ...{ leverages: fund.leverages, step: Decimal.parse(fund.step), status: STATUSES[fund.status] },
    coverable: Decimal.parse(fund.coverable),
  };
}
