import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Assets } from '../assets/index.ts';
import { balancesOf, type Movements } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { OrderFill } from './events.ts';
import type { OrderState, SpotOrder } from './order-domain.ts';
import { fillsOf, findOrder, ordersOf, type OrderFilter, type OwnFill } from './repository.ts';

/** More fills than this of one order are read through the fill records. */
const DETAIL_FILLS_MAX = 500;

const STATES: Readonly<Record<string, readonly OrderState[]>> = {
  '0': ['open'],
  '1': ['filled'],
  '2': ['cancelled'],
};

interface Asked {
  readonly baseCoin?: string | undefined;
  readonly quoteCoin?: string | undefined;
  readonly tradeType?: Side | undefined;
  readonly orderType?: OrderType | undefined;
  readonly entryStatus?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly pageNo: number;
  readonly pageSize: number;
}

/** What screens read about orders, fills and balances: straight from the database. */
export class Records {
  private readonly reader: Reader;
  private readonly assets: Assets;
  private readonly market: Market;
  private readonly statements: Movements;

  constructor(parts: { reader: Reader; assets: Assets; market: Market; movements: Movements }) {
    this.reader = parts.reader;
    this.assets = parts.assets;
    this.market = parts.market;
    this.statements = parts.movements;
  }

  orders(owner: UserId, asked: Asked): Promise<{ list: SpotOrder[]; total: number }> {
    return ordersOf(
      this.reader,
      owner,
      this.filterOf(asked),
      pageOf(asked),
      (symbol) => this.assets.findPair(symbol)!.pair,
    );
  }

  fills(owner: UserId, asked: Asked): Promise<{ list: OwnFill[]; total: number }> {
    return fillsOf(this.reader, owner, this.filterOf(asked), pageOf(asked));
  }

  /** One of the owner's orders with its fills; anybody else's is not found. */
  async order(owner: UserId, id: string): Promise<{ order: SpotOrder; fills: OrderFill[] }> {
    const order = await findOrder(this.reader, owner, id, (symbol) => this.assets.findPair(symbol)!.pair);
    if (order === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { list } = await fillsOf(
      this.reader,
      owner,
      { orderId: id },
      { limit: DETAIL_FILLS_MAX, offset: 0 },
    );
    const fills = list.map((fill) => ({
      tradeId: fill.id,
      price: fill.price,
      amount: fill.amount,
      total: fill.total,
      fee: fill.role === 'taker' ? fill.takerFee : fill.makerFee,
      role: fill.role,
      at: fill.at,
    }));
    return { order, fills };
  }

  /** Every coin with what is available and frozen, and its worth in USDT (8 digits, cut). */
  async balances(owner: UserId, onlyCoin: string | undefined) {
    const held = await balancesOf(this.reader, owner, 'spot');
    const list = this.assets.coins
      .filter(({ code }) => onlyCoin === undefined || code === onlyCoin)
      .map(({ code, name }) => {
        const { available, frozen } = held.get(code) ?? { available: Decimal.zero, frozen: Decimal.zero };
        const price = this.market.usdtPrice(code) ?? Decimal.zero;
        return {
          currencyName: code,
          currency: name,
          logo: this.assets.logo(code),
          availableCurrency: available.toString(),
          frozenCurrency: frozen.toString(),
          price: price.toString(),
          total: available.plus(frozen).times(price, 'down', 8).toString(),
          status: 1,
        };
      });
    return { list, total: sum(list.map(({ total }) => Decimal.parse(total))).toString() };
  }

  async movements(
    owner: UserId,
    asked: Omit<Asked, 'orderType'> & { currency?: string | undefined; type?: string | undefined },
  ) {
    const filter = { asset: asked.currency, kind: asked.type, from: asked.startTime, to: asked.endTime };
    const { list, total } = await this.statements.ofOwner(owner, filter, pageOf(asked));
    const shown = list.map(({ id, asset, bucket, kind, reference, amount, balance, at }) => ({
      id,
      currency: asset,
      type: kind,
      amount: amount.toString(),
      balance: balance.toString(),
      refType: bucket,
      refId: reference ?? '',
      createTime: at,
      remark: '',
    }));
    return { list: shown, total };
  }

  private filterOf(asked: Asked): OrderFilter {
    const { baseCoin, quoteCoin } = asked;
    const named = baseCoin !== undefined || quoteCoin !== undefined;
    const symbols = this.assets.pairs
      .filter(({ pair }) => (baseCoin ?? pair.base) === pair.base && (quoteCoin ?? pair.quote) === pair.quote)
      .map(({ pair }) => pair.symbol);
    return {
      // An unknown pair has no orders; an empty list of symbols would not be valid SQL.
      symbols: named ? (symbols.length === 0 ? [''] : symbols) : undefined,
      side: asked.tradeType,
      type: asked.orderType,
      states: asked.entryStatus === undefined ? undefined : STATES[asked.entryStatus],
      from: asked.startTime,
      to: asked.endTime,
    };
  }
}

function pageOf({ pageNo, pageSize }: { pageNo: number; pageSize: number }) {
  return { limit: pageSize, offset: (pageNo - 1) * pageSize };
}
