import { Decimal } from '@exchange/core/decimal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Wallets } from './channel.ts';
import { COIN_DIGITS, type EvmTerms } from './evm-domain.ts';
import type { EvmNode } from './evm-node.ts';
import { addressesFrom } from './evm-repository.ts';

interface Parts {
  readonly terms: EvmTerms;
  readonly node: Pick<EvmNode, 'balancesAt'>;
  readonly database: Pick<Database, 'store'>;
  /** The exchange's own addresses. */
  readonly houses: readonly string[];
  /** Number of the newest block that was read. */
  readonly height: () => number;
  /** Confirmations needed for a transfer. */
  readonly needed: () => number;
}

/** Addresses per balance query. */
const AT_A_TIME = 100;
/** Blocks behind the newest after which a sent payment is certainly recorded as sent. */
const LAG = 2;

/** The exchange's holdings on a chain: its own wallets, and deposits that still lie on user addresses. */
export class EvmWallets implements Wallets {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Lags by less than the needed confirmations, so every credited deposit is included. */
  block(): number | undefined {
    const height = this.parts.height();
    const lag = Math.min(Math.floor((this.parts.needed() - 1) / 2), LAG);
    return height === 0 ? undefined : Math.max(0, height - lag);
  }

  /** Reads all balances in pages at one block, so that no coin is counted twice. */
  async holdings(block: number): Promise<ReadonlyMap<string, Decimal>> {
    const { database, houses } = this.parts;
    const total = new Map<string, Decimal>();
    await this.add(total, [...new Set(houses.map((address) => address.toLowerCase()))], block);
    for (let nextIndex = 0; ;) {
      const page = await addressesFrom(database.store, nextIndex, AT_A_TIME);
      await this.add(
        total,
        page.map(({ address }) => address),
        block,
      );
      const last = page.at(-1);
      if (last === undefined) return total;
      nextIndex = last.index + 1;
    }
  }

  /** Balance of one address by coin, at a block. */
  async balancesOf(address: string, block: number): Promise<ReadonlyMap<string, Decimal>> {
    const total = new Map<string, Decimal>();
    await this.add(total, [address], block);
    return total;
  }

  private async add(total: Map<string, Decimal>, addresses: readonly string[], block: number): Promise<void> {
    const { terms, node } = this.parts;
    const coin = { asset: terms.coin, digits: COIN_DIGITS, contract: undefined };
    const tokens = [...terms.tokens].map(([asset, token]) => ({ asset, ...token }));
    const currencies = [coin, ...tokens].flatMap(({ asset, ...currency }) =>
      asset === undefined ? [] : { asset, ...currency },
    );
    const questions = addresses.flatMap((address) =>
      currencies.map((currency) => ({ ...currency, address })),
    );
    const units = await node.balancesAt(block, questions);
    for (const [index, { asset, digits }] of questions.entries()) {
      const amount = Decimal.ofScaled(units[index]!, digits);
      total.set(asset, (total.get(asset) ?? Decimal.zero).plus(amount));
    }
  }
}
