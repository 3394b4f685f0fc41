import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Wallets } from './channel.ts';
import { COIN_DIGITS, type EvmTerms } from './evm-domain.ts';
import type { EvmNode } from './evm-node.ts';
import {
  balanceTotals,
  prepareBalances,
  storeBalances,
  touchedAddresses,
  unreadAddresses,
  type AddressToRead,
  type EvmCurrency,
} from './evm-balance-repository.ts';

interface Parts {
  readonly terms: EvmTerms;
  readonly node: Pick<EvmNode, 'balancesAt'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  /** The exchange's own addresses, such as its wallets; deposit addresses are not included. */
  readonly houses: readonly string[];
  /** Returns the number of the newest block that was read. */
  readonly height: () => number;
  /** Returns the number of confirmations that a deposit needs on this network. */
  readonly needed: () => number;
}

/** Number of addresses in one page; the balances of a page's addresses are read from the node together. */
const AT_A_TIME = 100;
/**
 * Number of pages of addresses that one call of `holdings` reads again although no block has shown a transfer of them.
 */
const CHECKED_PAGES = 5;
/**
 * Greatest number of blocks by which the block at which balances are read is behind the newest block that was read. The
 * delay ensures that payments in that block are already recorded as sent.
 */
const LAG = 2;

/**
 * The exchange's holdings on a chain: the balances of its own wallets, and deposits that are still on deposit
 * addresses.
 */
export class EvmWallets implements Wallets {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Returns the number of the block at which balances are read; undefined before the first block was read. It
   * can be behind the newest block, but by fewer blocks than the confirmations that deposits need, so its
   * balances include every credited deposit.
   */
  block(): number | undefined {
    const height = this.parts.height();
    const lag = Math.min(Math.floor((this.parts.needed() - 1) / 2), LAG);
    return height === 0 ? undefined : Math.max(0, height - lag);
  }

  /**
   * Returns the exchange's holdings by coin at one block, in units of the coin, with decimals; as all
   * balances are from the same block, no coin is counted twice. The balance of a deposit address is read
   * again if a block has shown a transfer of it since it was last read. As blocks do not show every movement,
   * a limited number of the other addresses is read too, so that each is read about once a day.
   */
  async holdings(block: number): Promise<ReadonlyMap<string, Decimal>> {
    const { clock, database, houses, terms } = this.parts;
    const { network } = terms;
    await database.transaction((tx) => prepareBalances(tx, network, this.currencies()));
    let page: readonly AddressToRead[];
    let last = -1;
    do {
      page = await touchedAddresses(database.store, network, last, AT_A_TIME);
      await this.readAddresses(page, block);
      last = page.at(-1)?.index ?? last;
    } while (page.length === AT_A_TIME);
    const before = later(clock.now(), -DAY_MS);
    for (let pages = 0; pages < CHECKED_PAGES; pages += 1) {
      page = await unreadAddresses(database.store, network, before, AT_A_TIME);
      await this.readAddresses(page, block);
      if (page.length < AT_A_TIME) break;
    }
    const total = new Map<string, Decimal>();
    await this.add(total, [...new Set(houses.map((address) => address.toLowerCase()))], block);
    const onAddresses = await balanceTotals(database.store, network);
    for (const { asset, digits } of this.currencies())
      addAmount(total, asset, Decimal.ofScaled(onAddresses.get(asset) ?? 0n, digits));
    return total;
  }

  /** Returns the balance of one address at a block, by coin, in units of the coin, with decimals. */
  async balancesOf(address: string, block: number): Promise<ReadonlyMap<string, Decimal>> {
    const total = new Map<string, Decimal>();
    await this.add(total, [address], block);
    return total;
  }

  /** Reads the balances of deposit addresses at a block from the node, and stores them. */
  private async readAddresses(page: readonly AddressToRead[], block: number): Promise<void> {
    if (page.length === 0) return;
    const { clock, database, node, terms } = this.parts;
    const currencies = this.currencies();
    const questions = page.flatMap(({ index, address }) =>
      currencies.map(({ asset, contract }) => ({ index, address, asset, contract })),
    );
    const units = await node.balancesAt(block, questions);
    const balances = questions.map(({ index, asset }, at) => ({ index, asset, units: units[at]! }));
    await database.transaction((tx) =>
      storeBalances(tx, terms.network, balances, { block, now: clock.now() }),
    );
  }

  /**
   * Lists the coins whose balances are read: first the chain's own coin, if it is listed, then the listed
   * tokens.
   */
  private currencies(): (EvmCurrency & { readonly digits: number })[] {
    const { coin, tokens } = this.parts.terms;
    const listed = [...tokens].map(([asset, { contract, digits }]) => ({ asset, contract, digits }));
    return coin === undefined
      ? listed
      : [{ asset: coin, contract: undefined, digits: COIN_DIGITS }, ...listed];
  }

  private async add(total: Map<string, Decimal>, addresses: readonly string[], block: number): Promise<void> {
    const currencies = this.currencies();
    const questions = addresses.flatMap((address) =>
      currencies.map((currency) => ({ ...currency, address })),
    );
    const units = await this.parts.node.balancesAt(block, questions);
    for (const [index, { asset, digits }] of questions.entries())
      addAmount(total, asset, Decimal.ofScaled(units[index]!, digits));
  }
}

function addAmount(total: Map<string, Decimal>, asset: string, amount: Decimal): void {
  total.set(asset, (total.get(asset) ?? Decimal.zero).plus(amount));
}
