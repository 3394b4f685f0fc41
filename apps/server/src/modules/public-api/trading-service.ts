import { createHash } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { FeeTier } from '@exchange/core/fee.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { Submission } from '../../platform/sequencer/submission.ts';
import { isKeyFormat, type ApiKey, type ApiKeys } from '../api-keys/index.ts';
import type { Identity } from '../identity/index.ts';
import { balanceChanged, type BalanceChanged } from '../ledger/index.ts';
import {
  orderChanged,
  ProgramReads,
  type OrderChanged,
  type OrderFill,
  type PlaceOrder,
  type Records,
  type Spot,
  type SpotOrder,
  type UserFill,
} from '../spot/index.ts';

export { balanceChanged, orderChanged, type BalanceChanged, type OrderChanged, type OrderFill };
export { isKeyFormat, type ApiKey, type SpotOrder, type UserFill };
export type ProgramKeys = Pick<ApiKeys, 'find' | 'isSignedBy' | 'permit'>;

/** An order as a program asks for it. */
export interface ProgramOrder extends PlaceOrder {
  /** The caller's name for the order; the server makes one if it is absent. */
  readonly clientId: string | undefined;
}

interface Parts {
  readonly spot: Spot;
  readonly records: Records;
  readonly orders: ProgramReads;
  readonly identity: Pick<Identity, 'findUser'>;
}

/** A balance of the coin account. */
export interface ProgramBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** Creates the service over the open orders in memory and the stored ones. */
export function createApiTrading(
  parts: Omit<Parts, 'orders'> & Omit<ConstructorParameters<typeof ProgramReads>[0], 'open'>,
): ApiTrading {
  return new ApiTrading({ ...parts, orders: new ProgramReads({ ...parts, open: parts.spot }) });
}

const NAME_LENGTH = 22;

/** Trading for programs, through the same commands and reads as the apps. */
export class ApiTrading {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The number by which programs know an order. */
  numberOf(id: string): number {
    return this.parts.orders.numberOf(id as OrderId);
  }

  /**
   * Places an order and returns it after the commit. The signature of the request is its key: the same signed request
   * returns the first outcome.
   */
  async place(owner: UserId, order: ProgramOrder, signature: string): Promise<SpotOrder> {
    const digest = createHash('sha256').update(signature).digest('base64url');
    const { clientId = digest.slice(0, NAME_LENGTH), ...placed } = order;
    const submission = Submission.create({
      actor: owner,
      operation: 'spot.place',
      key: digest.slice(0, 36),
      sent: { signature },
    });
    const { id, order: placedOrder } = await this.parts.spot.placeNamed(owner, placed, clientId, submission);
    return placedOrder ?? (await this.order(owner, id))!;
  }

  /** Cancels an open order and returns it. Refuses as `Spot.end` does. */
  cancel(owner: UserId, id: OrderId): Promise<SpotOrder> {
    return this.parts.spot.end(owner, id);
  }

  /** Cancels all open orders on a pair and returns them, oldest first. */
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

  order(owner: UserId, id: OrderId): Promise<SpotOrder | undefined> {
    return this.parts.orders.order(owner, id);
  }

  /** The id of an order by its number or name; undefined for an unknown one. */
  findId(
    owner: UserId,
    { number, clientId }: { number: number | undefined; clientId: string | undefined },
  ): Promise<OrderId | undefined> {
    const { orders } = this.parts;
    return number === undefined ? orders.idOfClientId(owner, clientId!) : orders.idOfNumber(owner, number);
  }

  /** Open orders on a pair, or on all, oldest first. */
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

  /** The rates of the owner's fee tier, as fractions. */
  async rates(owner: UserId): Promise<{ maker: Decimal; taker: Decimal }> {
    const { tier }: { tier: FeeTier } = await this.parts.spot.fees.tierOf(owner);
    return { maker: tier.maker, taker: tier.taker };
  }

  /** The number by which the exchange's support knows the account. */
  async accountNumber(owner: UserId): Promise<string> {
    return (await this.parts.identity.findUser(owner))?.uid ?? '';
  }
}
