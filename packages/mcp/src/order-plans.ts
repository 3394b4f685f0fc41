import { Decimal } from '@exchange/core/decimal.ts';
import type { PLAN_ORDER } from '@exchange/wire/public-api/assistant-tools.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import type { ApiCall } from '@exchange/wire/public-api/calls.ts';
import type { ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import type { Clock } from './clock.ts';
import {
  accepted,
  codeOf,
  NoAnswer,
  type ExchangeAnswer,
  type ExchangeClient,
  type Sent,
  type SignedRequest,
} from './exchange-client.ts';
import { estimateOrder, type Estimate, type Levels } from './order-estimate.ts';
import { ToolFailed } from './session.ts';
import type { TradingLimits } from './settings.ts';

type PlanValues = ValuesOf<typeof PLAN_ORDER.parameters>;

/** An order that an assistant has planned, and the state of its placement on the exchange. */
interface Plan {
  readonly id: string;
  readonly values: PlanValues;
  readonly sent: Sent;
  readonly pair: Pair;
  /**
   * Estimated value of the order in USDT: first that of the plan, and from the first attempt to place the order that of
   * a new estimate.
   */
  worth: Decimal;
  readonly validUntil: number;
  /**
   * The attempt to place the order that is running now; undefined if none is. Concurrent calls wait for the same
   * attempt.
   */
  running: Promise<string> | undefined;
  /** The signed request that places the order; undefined until the first attempt to place it. */
  request: SignedRequest | undefined;
  /**
   * True after an attempt got no response or a server error (HTTP 500 or above), because that attempt may have placed
   * the order.
   */
  isUncertain: boolean;
  /** The exchange's final response to the order; undefined until there is one. */
  outcome: ExchangeAnswer | undefined;
}

interface Pair {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
}

interface Parts {
  readonly client: ExchangeClient;
  readonly limits: TradingLimits;
  readonly clock: Clock;
  /** Returns a new id for a planned order: at most 30 letters, digits, `-` and `_`. */
  readonly newId: () => string;
}

const PLAN_VALID_MS = 120_000;
const PLANS_MAX = 100;
/** Milliseconds for which the same signed request to place an order may be sent again. */
const ORDER_WINDOW_MS = 50_000;
const ATTEMPTS = 3;
const LEVELS = '100';
/** The coin in which the spending limits are stated. */
const UNIT = 'USDT';
const NO_SUCH_ORDER = -2013;
const SERVER_FAILED = 500;
/**
 * Maximum growth of an order's value in USDT since it was planned, as a fraction. If it has grown more, the order is
 * not placed.
 */
const DRIFT_MAX = Decimal.parse('0.02');
const DIGITS_SHOWN = 8;

const newOrder = calls.newOrder as unknown as ApiCall;
const orderByName = calls.order as unknown as ApiCall;
const testOrder = calls.testOrder as unknown as ApiCall;
const depth = calls.depth as unknown as ApiCall;
const exchangeInfo = calls.exchangeInfo as unknown as ApiCall;
const tickerPrice = calls.tickerPrice as unknown as ApiCall;
const account = calls.account as unknown as ApiCall;
const accountCommission = calls.accountCommission as unknown as ApiCall;

/**
 * Plans orders and places planned orders. An order is refused if its estimated value in USDT exceeds the
 * limit of a single order, or if it would raise the sum for all orders of this run of the MCP server above
 * the total limit.
 */
export class OrderPlans {
  private readonly parts: Parts;
  private readonly plans = new Map<string, Plan>();
  /**
   * Sum of the estimated values in USDT of all orders that were placed during this run of the MCP server,
   * including cancelled orders and orders whose outcome is unknown. An order that the exchange refused is
   * subtracted again.
   */
  private total = Decimal.zero;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Estimates an order without placing it, keeps the plan in memory, and returns the plan's id, its estimated
   * values and the remaining spending limit for the assistant. The plan can be placed within `PLAN_VALID_MS`.
   * Throws a `ToolFailed` with the reason if the order cannot be planned, for example because it exceeds a
   * spending limit or the balance is not sufficient.
   */
  async plan(values: PlanValues, sent: Sent): Promise<Readonly<Record<string, unknown>>> {
    const { client, clock, limits } = this.parts;
    await client.text(testOrder, sent);
    const pair = await this.pairNamed(values.symbol);
    const estimate = await this.estimated(values);
    const worth = await this.worthOf(estimate.value, pair);
    this.requireWithinLimits(worth);
    const locked = lockOf(values, estimate, pair);
    const free = await this.freeOf(locked.asset);
    if (free.isLess(locked.amount))
      throw new ToolFailed(
        `The order needs ${shown(locked.amount)} ${locked.asset}; the account has ${free.toString()} free.`,
      );
    const greatestFee = await this.feeOf(values, estimate, pair);
    const plan: Plan = {
      id: this.parts.newId(),
      values,
      sent,
      pair,
      worth,
      validUntil: clock.now() + PLAN_VALID_MS,
      running: undefined,
      request: undefined,
      isUncertain: false,
      outcome: undefined,
    };
    this.store(plan);
    return {
      planId: plan.id,
      validSeconds: PLAN_VALID_MS / 1_000,
      order: sent,
      value: `${shown(estimate.value)} ${pair.quoteAsset}`,
      valueInUsdt: shown(worth),
      locks: `${shown(locked.amount)} ${locked.asset}`,
      freeAfterwards: `${free.minus(locked.amount).toString()} ${locked.asset}`,
      greatestFee,
      executesAtOnce: executionText(estimate, pair),
      consequence: consequenceOf(values, pair),
      limits: `At most ${limits.orderMost.toString()} ${UNIT} an order; ${this.remaining().minus(worth).toString()} ${UNIT} remain for this run afterwards.`,
      next: 'Show this to the person. Call place_order with planId only after they have agreed.',
    };
  }

  /**
   * Places a planned order and returns the exchange's response. If it is called again, it returns the same response. If
   * the first response was lost, it determines whether the order was placed. Throws a `ToolFailed` if the plan is
   * unknown or can no longer be used, if the exchange refuses the order, or if it is still unknown whether the order
   * was placed.
   */
  async place(id: string): Promise<string> {
    const plan = this.plans.get(id);
    if (plan === undefined) throw new ToolFailed('No plan has this id. Plan the order again.');
    plan.running ??= this.execute(plan).finally(() => {
      plan.running = undefined;
    });
    return plan.running;
  }

  private async execute(plan: Plan): Promise<string> {
    if (plan.outcome !== undefined) return accepted(plan.outcome);
    plan.request ??= await this.firstRequest(plan);
    plan.outcome = await this.outcomeOf(plan, plan.request);
    // The exchange refused the order, so its value no longer counts towards the spending limit.
    if (plan.outcome.status >= 400) this.total = this.total.minus(plan.worth);
    return accepted(plan.outcome);
  }

  /**
   * Estimates a planned order again at current prices, adds its value to the spent sum, and signs the request that
   * places it. Throws a `ToolFailed` if the plan has expired, if its value has grown too much, or if it exceeds a
   * spending limit.
   */
  private async firstRequest(plan: Plan): Promise<SignedRequest> {
    const { client, clock } = this.parts;
    if (clock.now() > plan.validUntil)
      throw new ToolFailed('The plan is too old. Plan the order again and show the new plan.');
    const estimate = await this.estimated(plan.values);
    const worth = await this.worthOf(estimate.value, plan.pair);
    const worthMost = plan.worth.times(Decimal.one.plus(DRIFT_MAX), 'up');
    if (worth.isMore(worthMost))
      throw new ToolFailed('The price has moved since the plan. Plan the order again and show the new plan.');
    this.requireWithinLimits(worth);
    this.total = this.total.plus(worth);
    plan.worth = worth;
    const fields = { ...plan.sent, newClientOrderId: nameOf(plan), newOrderRespType: 'FULL' };
    try {
      return await client.sign(newOrder, fields, ORDER_WINDOW_MS);
    } catch (cause) {
      this.total = this.total.minus(worth);
      throw cause;
    }
  }

  /**
   * Sends a signed order until the exchange responds without a server error, at most `ATTEMPTS` times. Throws a
   * `ToolFailed` if it remains unknown whether the order was placed. The exchange executes the same signed request only
   * once.
   */
  private async outcomeOf(plan: Plan, request: SignedRequest): Promise<ExchangeAnswer> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const answer = await this.delivered(request);
      if (answer === undefined) plan.isUncertain = true;
      // If an earlier response was lost, the exchange may refuse only the repeated request although it has placed the
      // order. The order is then looked up.
      else if (answer.status < 400 || !plan.isUncertain) return answer;
      else return this.foundByName(plan, request, answer);
    }
    throw new ToolFailed(
      'No answer arrived: it is unknown whether the order was placed. Call place_order again with the same plan to find out; the order is not placed twice.',
    );
  }

  /**
   * Sends a request and returns the response. Returns undefined if no response arrived, or if the response is a server
   * error after which the outcome is unknown.
   */
  private async delivered(request: SignedRequest): Promise<ExchangeAnswer | undefined> {
    try {
      const answer = await this.parts.client.deliver(request);
      return answer.status >= SERVER_FAILED ? undefined : answer;
    } catch (cause) {
      if (cause instanceof NoAnswer) return undefined;
      throw cause;
    }
  }

  /**
   * Looks up a planned order by its client order id. If it exists, returns the exchange's response. If it does not
   * exist and its request has expired, so that it cannot be placed any more, returns `refused`. Otherwise throws a
   * `ToolFailed`, because the outcome is still unknown.
   */
  private async foundByName(
    plan: Plan,
    request: SignedRequest,
    refused: ExchangeAnswer,
  ): Promise<ExchangeAnswer> {
    const { client } = this.parts;
    const fields = { symbol: plan.values.symbol, origClientOrderId: nameOf(plan) };
    const answer = await client.deliver(await client.sign(orderByName, fields, ORDER_WINDOW_MS));
    if (answer.status < 400) return answer;
    const isOver = (await client.exchangeTime()) > request.validUntil;
    if (codeOf(answer) === NO_SUCH_ORDER && isOver) return refused;
    throw new ToolFailed(
      'It is not yet known whether the order was placed. Call place_order again with the same plan in a minute.',
    );
  }

  private store(plan: Plan): void {
    // When the maximum number of plans is reached, the oldest one is deleted. A plan that was sent and whose
    // outcome is unknown is not deleted. If there are only such plans, the new plan is refused.
    const oldest = [...this.plans.values()].find(
      ({ request, outcome }) => request === undefined || outcome !== undefined,
    );
    if (this.plans.size >= PLANS_MAX && oldest !== undefined) this.plans.delete(oldest.id);
    if (this.plans.size >= PLANS_MAX) throw new ToolFailed('Too many orders wait for their answers.');
    this.plans.set(plan.id, plan);
  }

  private remaining(): Decimal {
    return this.parts.limits.totalMost.minus(this.total);
  }

  private requireWithinLimits(worth: Decimal): void {
    const { orderMost } = this.parts.limits;
    if (worth.isMore(orderMost))
      throw new ToolFailed(
        `The order is worth ${shown(worth)} ${UNIT}; the person who runs this server permits ${orderMost.toString()} an order (--max-order).`,
      );
    if (worth.isMore(this.remaining()))
      throw new ToolFailed(
        `The order is worth ${shown(worth)} ${UNIT}; ${this.remaining().toString()} remain of what this run may trade (--max-total).`,
      );
  }

  private async pairNamed(symbol: string): Promise<Pair> {
    const { symbols } = await this.parts.client.read<{ symbols: readonly Pair[] }>(exchangeInfo, { symbol });
    return symbols[0]!;
  }

  /**
   * Estimates an order against the current book. Throws a `ToolFailed` if the known levels are not sufficient to fill a
   * market order.
   */
  private async estimated(values: PlanValues): Promise<Estimate> {
    const { symbol, side } = values;
    const book = await this.parts.client.read<{ bids: Levels; asks: Levels }>(depth, {
      symbol,
      limit: LEVELS,
    });
    const estimate = estimateOrder(values, side === 'BUY' ? book.asks : book.bids);
    if (!estimate.isFilled)
      throw new ToolFailed(
        `The ${LEVELS} best levels of the book offer only ${shown(estimate.atOnce.quantity)}. Plan a smaller order, or one with a limit.`,
      );
    return estimate;
  }

  /**
   * Converts an amount of the quote coin to USDT. Throws a `ToolFailed` if the exchange has no pair of this coin with
   * USDT, or no price of that pair.
   */
  private async worthOf(value: Decimal, { quoteAsset }: Pair): Promise<Decimal> {
    if (quoteAsset === UNIT) return value;
    const sent = { symbol: `${quoteAsset}${UNIT}` };
    const { price } = await this.parts.client.read<{ price: string }>(tickerPrice, sent);
    return value.times(Decimal.parse(price), 'up');
  }

  private async freeOf(asset: string): Promise<Decimal> {
    const { balances } = await this.parts.client.read<{
      balances: readonly { asset: string; free: string }[];
    }>(account, {});
    return Decimal.parse(balances.find((balance) => balance.asset === asset)?.free ?? '0');
  }

  /**
   * Returns the maximum trading fee of an order as text with the coin. The fee is subtracted from the received coin.
   */
  private async feeOf(values: PlanValues, { quantity, value }: Estimate, pair: Pair): Promise<string> {
    const { standardCommission } = await this.parts.client.read<{
      standardCommission: { maker: string; taker: string };
    }>(accountCommission, { symbol: pair.symbol });
    const maker = Decimal.parse(standardCommission.maker);
    const taker = Decimal.parse(standardCommission.taker);
    const rate = values.type === 'LIMIT_MAKER' || maker.isMore(taker) ? maker : taker;
    const received = values.side === 'BUY' ? quantity : value;
    const asset = values.side === 'BUY' ? pair.baseAsset : pair.quoteAsset;
    const percent = rate.times(Decimal.ofWhole(100), 'up').toString();
    return `${shown(received.times(rate, 'up'))} ${asset} (${percent} % of what is received)`;
  }
}

/** Returns the client order id of a planned order. By it the order is found if the response is lost. */
function nameOf({ id }: Plan): string {
  return `mcp-${id}`;
}

function lockOf({ side }: PlanValues, { quantity, value }: Estimate, { baseAsset, quoteAsset }: Pair) {
  return side === 'BUY' ? { asset: quoteAsset, amount: value } : { asset: baseAsset, amount: quantity };
}

function executionText({ atOnce }: Estimate, { baseAsset, quoteAsset }: Pair): string {
  if (!atOnce.quantity.isPositive()) return 'nothing, by the present book';
  const price = atOnce.value.over(atOnce.quantity, 'halfEven', DIGITS_SHOWN);
  return `about ${shown(atOnce.quantity)} ${baseAsset} at ${price.toString()} ${quoteAsset} on average, by the present book`;
}

function consequenceOf({ side, type, timeInForce, price }: PlanValues, { baseAsset }: Pair): string {
  const verb = side === 'BUY' ? 'Buys' : 'Sells';
  if (type === 'MARKET')
    return `${verb} ${baseAsset} at once at the prices of the book, which may change before the order arrives. This cannot be undone.`;
  const limit = `${verb} ${baseAsset} at ${price?.toString() ?? ''} or better`;
  if (type === 'LIMIT_MAKER') return `${limit}, resting on the book until it is executed or cancelled.`;
  if (timeInForce === 'IOC') return `${limit} at once; what cannot be executed is cancelled.`;
  if (timeInForce === 'FOK') return `${limit} at once and completely, or not at all.`;
  return `${limit}; what cannot be executed at once rests on the book until it is executed or cancelled.`;
}

function shown(amount: Decimal): string {
  return amount.rounded(DIGITS_SHOWN, 'up').toString();
}
