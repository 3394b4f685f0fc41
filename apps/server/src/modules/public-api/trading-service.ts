import { hash } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { FeeTier } from '@exchange/core/fee.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { Submission, type Submissions } from '../../platform/sequencer/submission.ts';
import { turnsOf, type Turn } from '../../platform/sequencer/turns.ts';
import { isKeyFormat, type ApiKey, type ApiKeys, type RequestLog } from '../api-keys/index.ts';
import type { Identity } from '../identity/index.ts';
import { balanceChanged, type BalanceChanged } from '../ledger/index.ts';
import {
  isPending,
  listIdOf,
  orderChanged,
  ProgramReads,
  type AmountChange,
  type CancelState,
  type OrderChanged,
  type OrderFill,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
  type Records,
  type Spot,
  type SpotOrder,
  type UserFill,
} from '../spot/index.ts';

export {
  balanceChanged,
  isPending,
  listIdOf,
  orderChanged,
  turnsOf,
  type AmountChange,
  type CancelState,
  type BalanceChanged,
  type OrderChanged,
  type OrderFill,
};
export { isKeyFormat, type ApiKey, type RequestLog, type SpotOrder, type UserFill };
export type ProgramKeys = Pick<ApiKeys, 'find' | 'isSignedBy' | 'permit'>;

/** A request for a new order that a program sends. */
export interface ProgramOrder extends PlaceOrder {
  /** The client order id; the server generates one if it is absent. */
  readonly clientId: string | undefined;
}

interface Parts {
  readonly spot: Spot;
  readonly records: Records;
  readonly orders: ProgramReads;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly submissions: Pick<Submissions, 'serve'>;
}

/** The number or the client order id of an order on a pair. The number is used when both are present. */
export interface OrderChoice {
  readonly symbol: string;
  readonly number: number | undefined;
  readonly clientId: string | undefined;
}

/** A signed API request that changes something. */
export interface SignedRequest {
  /**
   * Text by which a repetition of the request is recognized: the API key together with the signature or, if the
   * connection is logged on, with the id and the parameters of the request.
   */
  readonly signature: string;
  /**
   * Counts one order against the account's limits of new orders. Called for each order before the first execution, not
   * for a repetition. Throws `LimitExceeded` when one of the limits is exhausted.
   */
  readonly admit: () => void;
  /**
   * Id of the session under which the request's orders are placed, so that they are cancelled when its connection ends;
   * undefined for orders that stay.
   */
  readonly sessionId: string | undefined;
  /**
   * The position of the request in a batch of orders: the command of this order is enqueued after those of the earlier
   * orders of the batch. Undefined for an order that is not part of a batch.
   */
  readonly turn?: Turn | undefined;
}

/**
 * The results of a cancel-and-replace request: for each of both orders, the order itself or its refusal. `placed` is
 * undefined if the cancellation was refused and the new order was therefore not attempted.
 */
export interface Replacement {
  readonly cancelled: SpotOrder | Refused;
  readonly placed: SpotOrder | Refused | undefined;
}

/** A program's request for a list of two orders that cancel one another. */
export interface ProgramList extends PlaceOco {
  readonly limitName: string | undefined;
  readonly stopName: string | undefined;
  readonly listName: string | undefined;
}

/** A program's request for an OTO or OTOCO. */
export interface ProgramOto extends PlaceOto {
  readonly workingName: string | undefined;
  /** The client order id of the pending order, or of the limit leg of the pending OCO. */
  readonly pendingName: string | undefined;
  readonly stopName: string | undefined;
  readonly listName: string | undefined;
}

/**
 * A user's available (`free`) and held (`locked`) spot balance of one coin, as decimal text in units of the
 * coin.
 */
export interface ProgramBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/**
 * Creates the service of the trading API, which reads open orders from memory and other orders from the
 * database.
 */
export function createApiTrading(
  parts: Omit<Parts, 'orders'> & Omit<ConstructorParameters<typeof ProgramReads>[0], 'open'>,
): ApiTrading {
  return new ApiTrading({ ...parts, orders: new ProgramReads({ ...parts, open: parts.spot }) });
}

/** Returns a function that makes unique session ids, under which connections place orders that end with them. */
export function sessionIds({
  random,
  clock,
}: {
  readonly random: Random;
  readonly clock: Clock;
}): () => string {
  return () => newId(random, clock.now());
}

/** Length of the client order id that the server generates for an order without one. */
const NAME_LENGTH = 22;
const KEY_LENGTH = 36;
const NO_LIST = -1;

/**
 * The submission of a signed API request, whose key identifies a repetition of the request. If a request has several
 * items or operations, `signature` must also identify the item or operation.
 */
function submissionOf(actor: UserId, operation: string, signature: string): Submission {
  const key = hash('sha256', signature, 'base64url').slice(0, KEY_LENGTH);
  return Submission.create({
    actor,
    operation,
    key,
    sent: { signature },
  });
}

function notFound(): Refused {
  return new Refused(refusal('generic', 'l.not_found'));
}

/** Resolves to the result of `work`, or to the `Refused` error that it rejects with. All other errors still reject. */
async function orRefused<T>(work: Promise<T>): Promise<T | Refused> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof Refused) return cause;
    throw cause;
  }
}

/** Trading for programs, through the same commands and reads as the apps. */
export class ApiTrading {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The number of an order in the trading API. */
  numberOf(id: string): number {
    return this.parts.orders.numberOf(id as OrderId);
  }

  /** The numbers of an order and of its list in the trading API; −1 as the list's number of an order without a list. */
  numbersOf(order: Pick<SpotOrder, 'id' | 'groupId' | 'oto'>): { order: number; list: number } {
    const listId = listIdOf(order);
    const list = listId === '' ? NO_LIST : this.parts.orders.listNumberOf(listId);
    return { order: this.numberOf(order.id), list };
  }

  /**
   * The owner's order lists with at least one open order, in the order of their first orders among
   * `openOrders`.
   */
  openLists(owner: UserId): ReturnType<ProgramReads['openLists']> {
    return this.parts.orders.openLists(owner);
  }

  /**
   * The owner's order lists of a range of ids or times, open and ended, oldest first. With `fromNumber` the
   * range begins with the list of this number; the result is empty if the owner has no such list.
   */
  async lists(
    owner: UserId,
    {
      fromNumber,
      ...range
    }: Parameters<ProgramReads['lists']>[1] & { readonly fromNumber?: number | undefined },
  ): ReturnType<ProgramReads['lists']> {
    const { orders } = this.parts;
    if (fromNumber === undefined) return orders.lists(owner, range);
    const fromId = await orders.idOfListNumber(owner, fromNumber);
    return fromId === undefined ? [] : orders.lists(owner, { ...range, fromId });
  }

  /**
   * The orders of the owner's list with this number, the working or limit order first; empty if the owner has
   * no such list.
   */
  list(owner: UserId, number: number): Promise<readonly SpotOrder[]> {
    return this.parts.orders.list(owner, number);
  }

  /** The number of the owner's order list with this client order id; undefined if there is none. */
  listNumberOfName(owner: UserId, name: string): Promise<number | undefined> {
    return this.parts.orders.listNumberOfName(owner, name);
  }

  /**
   * Places an OCO: two orders of which the first to trigger or trade cancels the other. Returns both, the limit order
   * first. A repetition of the signed request returns the first outcome. Absent client order ids are generated; two
   * equal ones are refused.
   */
  async placeList(
    owner: UserId,
    { limitName, stopName, listName, ...order }: ProgramList,
    { signature, admit, sessionId }: SignedRequest,
  ): Promise<readonly SpotOrder[]> {
    const submission = submissionOf(owner, 'spot.oco', signature);
    const fields = {
      limitName: limitName ?? submission.key.slice(0, NAME_LENGTH),
      stopName: stopName ?? submissionOf(owner, 'spot.oco', `${signature} stop`).key.slice(0, NAME_LENGTH),
      listName,
      sessionId,
    };
    if (fields.limitName === fields.stopName)
      throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
    const ids = await this.parts.submissions.serve<readonly string[]>(submission, {
      first: async () => {
        admit();
        admit();
        return (await this.parts.spot.placeOco(owner, order, submission, fields)).ids;
      },
      restore: (stored) => (JSON.parse(stored) as { ids: string[] }).ids,
    });
    const orders = await Promise.all(ids.map((id) => this.order(owner, id as OrderId)));
    return orders.filter((placed) => placed !== undefined);
  }

  /**
   * Places an OTO or OTOCO and returns its orders, the working order first. A repetition of the signed request
   * returns the first outcome. Absent client order ids are generated; equal ones are refused.
   */
  async placeOto(
    owner: UserId,
    { workingName, pendingName, stopName, listName, ...order }: ProgramOto,
    { signature, admit, sessionId }: SignedRequest,
  ): Promise<readonly SpotOrder[]> {
    const nameOf = (part: string) =>
      submissionOf(owner, 'spot.oto', `${signature}${part}`).key.slice(0, NAME_LENGTH);
    const isOtoco = order.pendingOco !== undefined;
    const fields = {
      clientId: workingName ?? nameOf(''),
      pendingClientId: pendingName ?? nameOf(' pending'),
      stopClientId: isOtoco ? (stopName ?? nameOf(' stop')) : undefined,
      listName,
      sessionId,
    };
    const names = [fields.clientId, fields.pendingClientId, ...(isOtoco ? [fields.stopClientId] : [])];
    if (new Set(names).size < names.length)
      throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
    const submission = submissionOf(owner, 'spot.oto', signature);
    const ids = await this.parts.submissions.serve<readonly string[]>(submission, {
      first: async () => {
        for (const _name of names) admit();
        return (await this.parts.spot.placeOto(owner, order, fields, submission)).ids;
      },
      restore: (stored) => (JSON.parse(stored) as { ids: string[] }).ids,
    });
    const orders = await Promise.all(ids.map((id) => this.order(owner, id as OrderId)));
    return orders.filter((placed) => placed !== undefined);
  }

  /**
   * Cancels a list by cancelling one of its open orders, which cancels the others with it, and returns all its orders
   * in their new states. Refuses in the same cases as `Spot.cancel`.
   */
  async cancelList(owner: UserId, orders: readonly SpotOrder[]): Promise<readonly SpotOrder[]> {
    const order = orders.find(({ state }) => state === 'open') ?? orders[0]!;
    await this.parts.spot.cancel(owner, order.id);
    return this.list(owner, this.parts.orders.listNumberOf(listIdOf(order)));
  }

  /**
   * The refusal that the pair's rules or the market prices would cause for the order now; undefined if there is none.
   * Neither the account's balance nor its limits are checked.
   */
  problemOf(order: ProgramOrder): ReturnType<Spot['problemOf']> {
    return this.parts.spot.problemOf(order);
  }

  /**
   * Places an order and returns it after the commit. Throws the refusal if the order is refused. A repetition of the
   * signed request returns the first outcome.
   */
  async place(
    owner: UserId,
    order: ProgramOrder,
    { signature, admit, sessionId, turn }: SignedRequest,
  ): Promise<SpotOrder> {
    const submission = submissionOf(owner, 'spot.place', signature);
    // A cancel-and-replace request can have the same signature, so both operations store answers of one
    // type.
    const { placed } = await this.parts.submissions.serve<Replacement>(submission, {
      first: async () => {
        admit();
        const placed = await this.placeFirst(owner, { ...order, sessionId, turn }, submission);
        return { cancelled: notFound(), placed };
      },
      restore: async (stored) => ({ cancelled: notFound(), placed: await this.restored(owner, stored) }),
    });
    if (placed === undefined || placed instanceof Refused) throw placed ?? notFound();
    return placed;
  }

  /**
   * Cancels an order and returns it in its new state; with `onlyIf`, only if it has this state. Refuses with
   * `not_found` when the owner has no such order on the pair, and in the same cases as `Spot.cancel`.
   */
  async cancel(owner: UserId, choice: OrderChoice, onlyIf: CancelState | undefined): Promise<SpotOrder> {
    const id = await this.requireOrder(owner, choice);
    const { order } = await this.parts.spot.end(owner, id, { onlyIf });
    return order ?? (await this.order(owner, id))!;
  }

  /**
   * Cancels an order and then places another one, with separate commands. If the cancellation is refused, the new order
   * is placed nevertheless, unless `isStrict` is set. After the order was placed, a repetition of the signed request
   * returns the first outcome. Otherwise a repetition tries again what was refused, but never cancels a second order.
   */
  replace(
    owner: UserId,
    parts: {
      readonly cancelled: OrderChoice & { readonly onlyIf: CancelState | undefined };
      readonly order: ProgramOrder;
      readonly isStrict: boolean;
    },
    { signature, admit, sessionId }: SignedRequest,
  ): Promise<Replacement> {
    const { cancelled: choice, order, isStrict } = parts;
    const submission = submissionOf(owner, 'spot.place', signature);
    const cancelSubmission = submissionOf(owner, 'spot.cancel', signature);
    return this.parts.submissions.serve<Replacement>(submission, {
      first: async () => {
        admit();
        const cancelled = await orRefused(
          this.serve(owner, cancelSubmission, async () => {
            const id = await this.requireOrder(owner, choice);
            await this.parts.spot.cancel(owner, id, {
              onlyIf: choice.onlyIf,
              submission: cancelSubmission,
            });
            return id;
          }),
        );
        if (isStrict && cancelled instanceof Refused) return { cancelled, placed: undefined };
        const placed = await orRefused(this.placeFirst(owner, { ...order, sessionId }, submission));
        return { cancelled, placed };
      },
      restore: async (stored) => ({
        // A cancellation without a stored answer was refused. It is not executed again, because its
        // client order id may now be that of the new order.
        cancelled: await orRefused(this.serve(owner, cancelSubmission, () => Promise.reject(notFound()))),
        placed: await this.restored(owner, stored),
      }),
    });
  }

  /**
   * Lowers the amount of an order on the book and returns it with the number of its latest amendment, which is this one
   * unless another has followed. Refuses with `not_found` when the owner has no such order on the pair, and in the same
   * cases as `Spot.amend`.
   */
  async reduce(
    owner: UserId,
    choice: OrderChoice,
    amount: Decimal,
    signature: string,
  ): Promise<{ order: SpotOrder; amendment: number }> {
    const submission = submissionOf(owner, 'spot.amend', signature);
    const order = await this.serve(owner, submission, async () => {
      const id = await this.requireOrder(owner, choice);
      await this.parts.spot.amend(owner, id, { amount, isReduction: true }, submission);
      return id;
    });
    return { order, amendment: (await this.parts.orders.lastAmendment(order.id))! };
  }

  /**
   * At most `limit` amendments of an order with the number `from` or a greater one, oldest first. The caller must
   * ensure that the order is the user's own.
   */
  amendments(
    order: OrderId,
    range: { readonly from: number; readonly limit: number },
  ): Promise<AmountChange[]> {
    return this.parts.orders.amendments(order, range);
  }

  /**
   * Executes a submission whose result is an order. A repetition executes nothing and returns the order of the first
   * execution in its current state.
   */
  private serve(owner: UserId, submission: Submission, first: () => Promise<OrderId>): Promise<SpotOrder> {
    return this.parts.submissions.serve<SpotOrder>(submission, {
      first: async () => (await this.order(owner, await first()))!,
      restore: (stored) => this.restored(owner, stored),
    });
  }

  private async restored(owner: UserId, stored: string): Promise<SpotOrder> {
    const { id } = await this.parts.spot.restoreOrder(owner, stored);
    return (await this.order(owner, id as OrderId))!;
  }

  private async placeFirst(
    owner: UserId,
    {
      clientId,
      sessionId,
      turn,
      ...order
    }: ProgramOrder & { readonly sessionId: string | undefined; readonly turn?: Turn | undefined },
    submission: Submission,
  ): Promise<SpotOrder> {
    const fields = { clientId: clientId ?? submission.key.slice(0, NAME_LENGTH), sessionId, turn };
    const { id, order: placed } = await this.parts.spot.placeNamed(owner, order, fields, submission);
    return placed ?? (await this.order(owner, id))!;
  }

  /** The id of the owner's order on a pair. Refuses with `not_found` if there is none. */
  private async requireOrder(owner: UserId, { symbol, ...name }: OrderChoice): Promise<OrderId> {
    const id = await this.findId(owner, name);
    if (id === undefined) throw notFound();
    const symbolOfOrder =
      this.parts.spot.symbolInMemory(owner, id) ?? (await this.order(owner, id))?.pair.symbol;
    if (symbolOfOrder !== symbol) throw notFound();
    return id;
  }

  /**
   * Cancels all open orders on a pair and returns those that were open before, in the order of `openOrders`
   * and in their new states. An order that could not be cancelled is among them, unchanged.
   */
  async cancelAll(
    owner: UserId,
    pair: { base: string; quote: string; symbol: string },
  ): Promise<SpotOrder[]> {
    const open = this.openOrders(owner, pair.symbol);
    if (open.length === 0) return [];
    await this.parts.spot.cancelAll(owner, { baseCoin: pair.base, quoteCoin: pair.quote });
    const orders = await Promise.all(open.map(({ id }) => this.order(owner, id)));
    return orders.filter((order) => order !== undefined);
  }

  /**
   * Starts an account's countdown for a pair or for all pairs, or ends it, as `Spot.setCountdown` does. A repetition of
   * the signed request returns the first outcome and does not restart the countdown.
   */
  setCountdown(
    owner: UserId,
    countdown: Parameters<Spot['setCountdown']>[1],
    signature: string,
  ): ReturnType<Spot['setCountdown']> {
    const submission = submissionOf(owner, 'spot.countdown', signature);
    return this.parts.submissions.serve<Awaited<ReturnType<Spot['setCountdown']>>>(submission, {
      first: () => this.parts.spot.setCountdown(owner, countdown, submission),
      restore: (stored) => JSON.parse(stored) as Awaited<ReturnType<Spot['setCountdown']>>,
    });
  }

  order(owner: UserId, id: OrderId): Promise<SpotOrder | undefined> {
    return this.parts.orders.order(owner, id);
  }

  /**
   * The id of an order by its number if that is given, otherwise by the owner's client order id; undefined if there is
   * none. A number can yield another user's order, so the caller must check the owner.
   */
  findId(
    owner: UserId,
    { number, clientId }: { number: number | undefined; clientId: string | undefined },
  ): Promise<OrderId | undefined> {
    const { orders } = this.parts;
    return number === undefined ? orders.idOfClientId(owner, clientId!) : orders.idOfNumber(owner, number);
  }

  /** The owner's open orders on a pair, or on all pairs, the oldest first, whatever amendments moved them. */
  openOrders(owner: UserId, symbol: string | undefined): readonly SpotOrder[] {
    const open = this.parts.orders.openOrders(owner);
    return symbol === undefined ? open : open.filter(({ pair }) => pair.symbol === symbol);
  }

  orders(owner: UserId, range: Parameters<ProgramReads['orders']>[1]): Promise<SpotOrder[]> {
    return this.parts.orders.orders(owner, range);
  }

  fills(owner: UserId, range: Parameters<ProgramReads['fills']>[1]): Promise<UserFill[]> {
    return this.parts.orders.fills(owner, range);
  }

  async balances(owner: UserId): Promise<ProgramBalance[]> {
    const { list } = await this.parts.records.balances(owner, undefined);
    return list.map(({ currencyName, availableCurrency, frozenCurrency }) => ({
      asset: currencyName,
      free: availableCurrency,
      locked: frozenCurrency,
    }));
  }

  /** The maker and taker fee rates of the owner's fee tier, as fractions of the traded value. */
  async rates(owner: UserId): Promise<{ maker: Decimal; taker: Decimal }> {
    const { tier }: { tier: FeeTier } = await this.parts.spot.fees.tierOf(owner);
    return { maker: tier.maker, taker: tier.taker };
  }

  /** The public account number (UID) of a user, which customer service uses; empty for an unknown user. */
  async accountNumber(owner: UserId): Promise<string> {
    return (await this.parts.identity.findUser(owner))?.uid ?? '';
  }
}
