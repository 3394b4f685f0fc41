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
  /** Addresses of the house's own. */
  readonly houses: readonly string[];
  /** The newest block that was read. */
  readonly height: () => number;
  /** Blocks until a transfer counts. */
  readonly needed: () => number;
}

/** Addresses that a node is asked about at once. */
const AT_A_TIME = 100;
/** So many blocks behind the newest what was sent is surely known as sent. */
const LAG = 2;

/** What the house has on a chain: its own wallets, and what people sent to their addresses and nobody has moved yet. */
export class EvmWallets implements Wallets {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Never so far behind that a deposit which was credited is not in it. */
  block(): number | undefined {
    const height = this.parts.height();
    const lag = Math.min(Math.floor((this.parts.needed() - 1) / 2), LAG);
    return height === 0 ? undefined : Math.max(0, height - lag);
  }

  /** Asks the node about every address, some at a time, and all as of one block, so that nothing is counted twice. */
  async holdings(block: number): Promise<ReadonlyMap<string, Decimal>> {
    const { database, houses } = this.parts;
    const total = new Map<string, Decimal>();
    await this.add(total, [...new Set(houses.map((address) => address.toLowerCase()))], block);
    for (let from = 0; ;) {
      const page = await addressesFrom(database.store, from, AT_A_TIME);
      await this.add(
        total,
        page.map(({ address }) => address),
        block,
      );
      const last = page.at(-1);
      if (last === undefined) return total;
      from = last.index + 1;
    }
  }

  private async add(total: Map<string, Decimal>, addresses: readonly string[], block: number): Promise<void> {
    const { terms, node } = this.parts;
    const coin = { asset: terms.coin, digits: COIN_DIGITS, contract: undefined };
    const tokens = [...terms.tokens].map(([asset, token]) => ({ asset, ...token }));
    const held = [coin, ...tokens].flatMap(({ asset, ...one }) =>
      asset === undefined ? [] : { asset, ...one },
    );
    const asked = addresses.flatMap((address) => held.map((one) => ({ ...one, address })));
    const units = await node.balancesAt(block, asked);
    for (const [at, { asset, digits }] of asked.entries()) {
      const amount = Decimal.ofScaled(units[at]!, digits);
      total.set(asset, (total.get(asset) ?? Decimal.zero).plus(amount));
    }
  }
}
