import type { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import {
  GRID_INVESTMENT_PLACES,
  GRID_SLIPPAGE_PLACES,
  gridOrdersProblem,
  gridOutcomes,
  gridPlan,
  gridStepProfits,
  type GridOutcome,
  type GridPlan,
  type GridRequest,
  type GridSpacing,
} from '@exchange/core/spot-grid.ts';
import { trailOfPercent } from '@exchange/core/spot.ts';
import type { createGrid } from '@exchange/wire/grid.ts';
import type { CallFields } from '../api/client.ts';
import { typedAmount } from '../form/decimal-text.ts';
import { refusalAt, refusedFields } from './algo-problems.ts';
import type { TicketMarket, TicketPair } from './ticket.ts';

/** Whether the coins of a grid are sold at its end. */
export type AtEnd = (typeof AT_END)[number];
export const AT_END = ['keep', 'sell'] as const;

/** Values of the form of a trading grid, as the user has typed them. */
export interface GridForm {
  readonly lowerPrice: string;
  readonly upperPrice: string;
  readonly levels: string;
  readonly spacing: GridSpacing;
  /** Maximum investment of the grid in the quote coin, as typed. */
  readonly investment: string;
  /** Maximum slippage of the purchase at the start and of the sale at the end, in percent. */
  readonly slippage: string;
  /** Stop-loss and take-profit price, at which the grid ends, as typed; empty for none. */
  readonly stopLossPrice: string;
  readonly takeProfitPrice: string;
  /** Whether the grid's coins are sold or kept when the grid ends at its stop-loss or take-profit price. */
  readonly atEnd: AtEnd;
}

export type GridPayload = CallFields<typeof createGrid>;

type Problems = { readonly [Field in keyof GridForm]?: Refusal };

export const INITIAL_GRID: GridForm = {
  lowerPrice: '',
  upperPrice: '',
  levels: '10',
  spacing: 'equal',
  investment: '',
  slippage: '0.5',
  stopLossPrice: '',
  takeProfitPrice: '',
  atEnd: 'keep',
};

/** Preview of a trading grid; if the grid cannot be started, the problems by field. */
export interface GridPreview {
  readonly problems: Problems;
  /**
   * The purchase and the resting orders with which the grid would start at the current best prices; undefined
   * while the grid cannot be placed for a reason other than a lack of funds.
   */
  readonly plan: GridPlan | undefined;
  /**
   * Smallest and greatest profit of a purchase at one price level and the sale at the next higher one, after both maker
   * fees, as fractions of the purchase price; defined if `plan` is.
   */
  readonly steps: ReturnType<typeof gridStepProfits> | undefined;
  /**
   * Results at both bounds of the price range, at half of its lower bound and at the exit prices; empty without `plan`.
   */
  readonly outcomes: readonly GridOutcome[];
}

/**
 * Computes the preview of a grid from the current prices, the user's fee rates and balances, with the rules that the
 * server also checks.
 */
export function previewGrid(form: GridForm, moment: TicketMarket): GridPreview {
  const { pair } = moment;
  const typed = typedRequest(form, pair);
  if (!typed.ok) return nothingWith(typed.problems);
  const { request } = typed;
  const rates = { maker: pair.makerFee, taker: pair.takerFee };
  const market = {
    status: pair.status,
    reference: moment.reference,
    last: moment.last,
    bid: moment.bestBid,
    ask: moment.bestAsk,
    rates,
  };
  const problem = gridOrdersProblem(pair, pair.filters, request, market, moment.openOrders?.resting);
  if (problem !== undefined) return nothingWith(problemAt(problem));
  const plan = gridPlan(pair, request, market)!;
  const available = moment.quoteAvailable;
  const shortage =
    available &&
    shortOf({
      needed: request.investment,
      available,
      asset: pair.quote,
      field: 'investment',
    });
  return {
    problems: shortage === undefined ? {} : problemAt(shortage),
    plan,
    steps: gridStepProfits(plan.prices, rates),
    outcomes: gridOutcomes(pair, plan, rates, request),
  };
}

/** Returns the fields of the request that starts the grid of the form. */
export function gridPayload(form: GridForm, pair: TicketPair): GridPayload {
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    lowerPrice: form.lowerPrice,
    upperPrice: form.upperPrice,
    levels: form.levels,
    spacing: form.spacing,
    investment: form.investment,
    slippage: form.slippage,
    stopLossPrice: form.stopLossPrice === '' ? undefined : form.stopLossPrice,
    takeProfitPrice: form.takeProfitPrice === '' ? undefined : form.takeProfitPrice,
    sellAtEnd: form.atEnd === 'sell' ? '1' : undefined,
  };
}

function nothingWith(problems: Problems): GridPreview {
  return { problems, plan: undefined, steps: undefined, outcomes: [] };
}

type TypedRequest =
  | { readonly ok: true; readonly request: GridRequest }
  | { readonly ok: false; readonly problems: Problems };

function typedRequest(form: GridForm, pair: TicketPair): TypedRequest {
  const lowerPrice = typedAmount('lowerPrice', form.lowerPrice, pair.priceDigits);
  const upperPrice = typedAmount('upperPrice', form.upperPrice, pair.priceDigits);
  const levels = typedAmount('levels', form.levels, 0);
  const investment = typedAmount('investment', form.investment, GRID_INVESTMENT_PLACES);
  const slippage = typedAmount('slippage', form.slippage, GRID_SLIPPAGE_PLACES);
  const stopLossPrice = optionalPrice('stopLossPrice', form.stopLossPrice, pair);
  const takeProfitPrice = optionalPrice('takeProfitPrice', form.takeProfitPrice, pair);
  const areExitsValid = stopLossPrice?.ok !== false && takeProfitPrice?.ok !== false;
  if (lowerPrice.ok && upperPrice.ok && levels.ok && investment.ok && slippage.ok && areExitsValid) {
    return {
      ok: true,
      request: {
        lowerPrice: lowerPrice.value,
        upperPrice: upperPrice.value,
        levels: Number(levels.value.toString()),
        spacing: form.spacing,
        investment: investment.value,
        slippage: trailOfPercent(slippage.value),
        stopLoss: stopLossPrice?.value,
        takeProfit: takeProfitPrice?.value,
        sellsAtEnd: form.atEnd === 'sell',
      },
    };
  }
  const problems = refusedFields({
    lowerPrice,
    upperPrice,
    levels,
    investment,
    slippage,
    stopLossPrice,
    takeProfitPrice,
  });
  return { ok: false, problems };
}

/**
 * Parses the text of a price field that may stay empty: returns the price, a refusal of an invalid text, or
 * undefined if the field is empty.
 */
function optionalPrice(field: 'stopLossPrice' | 'takeProfitPrice', text: string, pair: TicketPair) {
  return text === '' ? undefined : typedAmount(field, text, pair.priceDigits);
}

const FIELDS = [
  'lowerPrice',
  'upperPrice',
  'levels',
  'investment',
  'slippage',
  'stopLossPrice',
  'takeProfitPrice',
] as const;

/**
 * Returns the refusal under the form field that it names, or under `levels` if the refusal names no field of the form.
 */
function problemAt(problem: Refusal): Problems {
  return refusalAt(problem, FIELDS, 'levels');
}

/**
 * A profit or the difference of two profits, negative for a loss: `profit` in the quote coin, `rate` as a fraction of the
 * investment.
 */
export interface GridProfit {
  readonly profit: Decimal;
  readonly rate: Decimal;
}

/**
 * Returns `result` minus `other`, for the profit in the quote coin and for the rate; negative where `other`
 * is greater.
 */
export function differenceOf(result: GridProfit, other: GridProfit): GridProfit {
  return { profit: result.profit.minus(other.profit), rate: result.rate.minus(other.rate) };
}
