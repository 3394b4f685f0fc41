import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserId } from '@exchange/core/ids.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import * as spot from '@exchange/wire/spot.ts';
import * as user from '@exchange/wire/user.ts';
import { callOver, type Answered, type Sent } from '../calling.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';

const PASSWORD = 'Jasmine4river';
const MAINTENANCE = -15;
const RATE_LIMITED = -9;
const FIRST_OPEN_KEPT = 40;

/** What the server has told a trader, and what is therefore true for ever. */
export interface Told {
  /** Order ids by the request id they were asked for with. */
  readonly placed: Map<string, string>;
  /** Request ids that were refused: no order of theirs may exist. */
  readonly refused: Set<string>;
  /** Orders that are no longer open: their cancel was acknowledged, or refused because they had ended. */
  readonly ended: Set<string>;
}

/**
 * Trades on and on through HTTP, as an app would: every order has a request id and is asked for again
 * until there is an answer, whatever happens to the server meanwhile.
 */
export class CrashTrader {
  readonly told: Told = { placed: new Map(), refused: new Set(), ended: new Set() };
  readonly id: UserId;
  /** Answers that had to be asked for more than once. */
  retries = 0;
  private readonly url: string;
  private readonly token: string;
  private readonly random: SeededRandom;
  private readonly paceMs: number;
  private readonly open: string[] = [];
  private isStopping = false;

  private constructor(parts: {
    url: string;
    id: UserId;
    token: string;
    random: SeededRandom;
    paceMs: number;
  }) {
    this.url = parts.url;
    this.id = parts.id;
    this.token = parts.token;
    this.random = parts.random;
    this.paceMs = parts.paceMs;
  }

  /** Registers with the code from the mail page and claims play money. */
  static async arrive(url: string, seed: number, paceMs: number): Promise<CrashTrader> {
    const email = `c${randomBytes(6).toString('hex')}@example.com`;
    const address = `10.${[...randomBytes(3)].join('.')}`;
    await callOver(url, user.sendEmailCode, { email, type: user.CODE_TYPES.register }, { address });
    const mail = await fetch(`${url}/dev/mail.json?to=${email}`);
    const { list } = (await mail.json()) as { list: { code?: string }[] };
    const code = list[0]?.code ?? '';
    const fields = { email, code, password: PASSWORD, confirmPassword: PASSWORD, agree: '1' } as const;
    const { data, text } = await callOver(url, user.register, fields, { address });
    if (data?.token === undefined) throw new Error(`no registration: ${text}`);
    const parts = { url, id: data.userId as UserId, token: data.token, random: seededRandom(seed), paceMs };
    const trader = new CrashTrader(parts);
    await trader.insist(claimFaucet, {});
    return trader;
  }

  /** Trades around a price until told to stop. */
  async trade(price: () => number): Promise<void> {
    while (!this.isStopping) {
      await sleep(this.random.whole(this.paceMs / 2, this.paceMs * 1.5));
      const isCancel = this.open.length > 0 && this.random.chance(0.35);
      await (isCancel ? this.cancelOne() : this.placeOne(price()));
    }
  }

  /** Begins nothing new; what is under way is seen to its end. */
  stop(): void {
    this.isStopping = true;
  }

  /** Cancels all that is open and gives how many orders that were. */
  async leave(): Promise<number> {
    const { data } = await this.insist(spot.cancelAllOrders, { clientId: randomUUID() });
    return data.count;
  }

  private async placeOne(price: number): Promise<void> {
    const clientId = randomUUID();
    const answer = await this.insist(spot.createOrder, { ...this.anOrder(price), clientId });
    if (answer.code !== 1) {
      this.told.refused.add(clientId);
      return;
    }
    const { id, status } = answer.data;
    this.told.placed.set(clientId, id);
    if (status > spot.ORDER_STATUS.partlyFilled) this.told.ended.add(id);
    else this.open.push(id);
    this.open.splice(0, Math.max(0, this.open.length - FIRST_OPEN_KEPT));
  }

  private async cancelOne(): Promise<void> {
    const [id] = this.open.splice(this.random.whole(0, this.open.length - 1), 1);
    if (id === undefined) return;
    const { code, errKey, text } = await this.insist(spot.cancelOrder, { id });
    if (code !== 1 && errKey !== 'l.order_not_open') throw new Error(`cancel of ${id}: ${text}`);
    this.told.ended.add(id);
  }

  private anOrder(price: number): Sent<typeof spot.createOrder> {
    const { random } = this;
    const side = random.pick(['buy', 'sell'] as const);
    const pair = { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: side } as const;
    const amount = (random.whole(20, 60) / 100_000).toFixed(5);
    if (random.chance(0.2)) return { ...pair, orderType: 'market', amount };
    const away = random.whole(-10, 200) / 10_000;
    const limit = price * (side === 'buy' ? 1 - away : 1 + away);
    return { ...pair, orderType: 'limit', amount, price: limit.toFixed(2) };
  }

  /** Asks until there is an answer: the server may be dying, starting, or without its database. */
  private async insist<E extends Endpoint>(endpoint: E, fields: Sent<E>): Promise<Answered<DataOf<E>>> {
    for (;;) {
      const answer = await this.attempt(endpoint, fields);
      if (answer !== undefined) return answer;
      this.retries += 1;
      await sleep(this.random.whole(20, 150));
    }
  }

  private async attempt<E extends Endpoint>(
    endpoint: E,
    fields: Sent<E>,
  ): Promise<Answered<DataOf<E>> | undefined> {
    let answer: Answered<DataOf<E>>;
    try {
      answer = await callOver(this.url, endpoint, fields, { token: this.token });
    } catch {
      // No answer: nobody knows what became of it. That is what request ids are for.
      return undefined;
    }
    if (answer.status >= 500) throw new Error(`${endpoint.path} failed: ${answer.text}`);
    return answer.code === MAINTENANCE || answer.code === RATE_LIMITED ? undefined : answer;
  }
}
