import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import * as spot from '@exchange/wire/spot.ts';
import type { Account } from './account.ts';
import type { AcknowledgedFacts } from './acknowledged-facts.ts';
import { drawAmendment, drawOco, drawOrder } from './order-draws.ts';

const KEPT_OPEN = 40;
const ENDED_KEYS: ReadonlySet<string | undefined> = new Set(['l.order_not_open']);

type Order = Pick<DataOf<typeof spot.createOrder>, 'id' | 'status' | 'tradeType'>;

/** A user who trades continuously over HTTP with every type of order, also while the server is killed and restarted. */
export class Trader {
  readonly account: Account;
  readonly facts: AcknowledgedFacts = {
    placed: new Map(),
    refused: new Set(),
    ended: new Set(),
    amended: new Map(),
  };
  private readonly paceMs: number;
  private open: Order[] = [];
  private isStopping = false;

  /** `paceMs` is the mean pause in milliseconds between two requests. */
  constructor(account: Account, paceMs: number) {
    this.account = account;
    this.paceMs = paceMs;
  }

  /** Places, amends and cancels random orders near the market price until `stop` is called. */
  async trade(price: () => number): Promise<void> {
    const { random } = this.account;
    while (!this.isStopping) {
      await sleep(random.whole(this.paceMs / 2, this.paceMs * 1.5));
      const draw = random.whole(0, 99);
      if (draw < 30 && this.open.length > 0) await this.cancelRandom();
      else if (draw < 42 && this.open.length > 0) await this.amendRandom(price());
      else if (draw < 50) await this.placeOco(price());
      else if (draw < 51) await this.cancelAll();
      else await this.placeOne(price());
    }
  }

  /** Makes `trade` end, which may still send one more request and completes running ones. */
  stop(): void {
    this.isStopping = true;
  }

  /** Cancels all open orders and returns their number. */
  async cancelAll(): Promise<number> {
    const { count } = await this.account.request(spot.cancelAllOrders, { clientId: randomUUID() });
    for (const { id } of this.open) this.facts.ended.add(id);
    this.open = [];
    return count;
  }

  private async placeOne(price: number): Promise<void> {
    const clientId = randomUUID();
    const fields = { ...drawOrder(this.account.random, price, Date.now()), clientId };
    const answer = await this.account.requestWithRetries(spot.createOrder, fields);
    if (answer.code === 1) this.recordPlaced(clientId, [answer.data]);
    else this.facts.refused.add(clientId);
  }

  private async placeOco(price: number): Promise<void> {
    const clientId = randomUUID();
    const fields = { ...drawOco(this.account.random, price), clientId };
    const answer = await this.account.requestWithRetries(spot.createOco, fields);
    if (answer.code === 1) this.recordPlaced(clientId, answer.data.orders);
    else this.facts.refused.add(clientId);
  }

  private recordPlaced(clientId: string, orders: readonly Order[]): void {
    this.facts.placed.set(
      clientId,
      orders.map(({ id }) => id),
    );
    for (const order of orders) {
      if (order.status > spot.ORDER_STATUS.partlyFilled) this.facts.ended.add(order.id);
      else this.open.push(order);
    }
    this.open.splice(0, Math.max(0, this.open.length - KEPT_OPEN));
  }

  private async cancelRandom(): Promise<void> {
    const [order] = this.open.splice(this.account.random.whole(0, this.open.length - 1), 1);
    if (order === undefined) return;
    const { code, errKey, text } = await this.account.requestWithRetries(spot.cancelOrder, { id: order.id });
    if (code !== 1 && !ENDED_KEYS.has(errKey)) throw new Error(`cancel of ${order.id}: ${text}`);
    this.facts.ended.add(order.id);
  }

  private async amendRandom(price: number): Promise<void> {
    const { random } = this.account;
    const order = random.pick(this.open);
    const fields = drawAmendment(random, price, order.tradeType === 1 ? 'buy' : 'sell');
    const request = { ...fields, id: order.id, clientId: randomUUID() };
    const answer = await this.account.requestWithRetries(spot.amendOrder, request);
    if (answer.code === 1) this.facts.amended.set(order.id, (this.facts.amended.get(order.id) ?? 0) + 1);
    else if (ENDED_KEYS.has(answer.errKey)) this.facts.ended.add(order.id);
  }
}
