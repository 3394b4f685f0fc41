import type { Decimal } from '@exchange/core/decimal.ts';
import type { CoinNetwork } from '@exchange/core/network.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { Participant } from '../../platform/sequencer/sequencer.ts';
import type { Chains, PaymentCost } from '../chains/index.ts';
import type { Market } from '../market/index.ts';
import { convertedCost, feeBounds, isFresh, liveFee, type FeeReading } from './withdrawal-fee-domain.ts';
import { endTableFees, networksWithTableFees, startTableFees } from './withdrawal-fees-repository.ts';

interface Parts {
  readonly chains: Pick<Chains, 'offered' | 'paymentCosts' | 'sending'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly log: Log;
  readonly market: Pick<Market, 'usdtIndex'>;
}

/** The withdrawal fee of a coin on a network, as operators see it. Amounts are in units of the coin. */
export interface WithdrawalFeeView {
  readonly asset: string;
  /** The fee that a withdrawal is charged now, in units of the coin. */
  readonly fee: Decimal;
  readonly isLive: boolean;
  readonly tableFee: Decimal;
  readonly least: Decimal;
  readonly most: Decimal;
  /**
   * The last known cost of a payment, in units of the coin, and when it was read; undefined if none was read
   * since the start.
   */
  readonly cost: Decimal | undefined;
  readonly readAt: Instant | undefined;
}

/**
 * The fees that withdrawals are charged. On a network with a channel to a real chain they follow the network's cost,
 * which a job reads every minute; requests read the last result from memory. The fee of the table in `core/network.ts`
 * applies where no such channel sends the coin, where the node or an index price has been missing for five minutes, and
 * where operators chose the table's fees.
 */
export class WithdrawalFees implements Participant {
  readonly name = 'withdrawal fees';
  private readonly parts: Parts;
  private readonly readings = new Map<string, FeeReading>();
  /** Codes of the networks on which operators chose the fixed fees of the table in `core/network.ts`. */
  private tableOnly: ReadonlySet<string> = new Set();
  /** Codes of the networks whose cost could not be read at the last attempt, which the log reports once. */
  private readonly unread = new Set<string>();
  private readonly decisions = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async load(): Promise<void> {
    this.tableOnly = new Set(await networksWithTableFees(this.parts.database.store));
  }

  /** Returns the terms of a coin on a network with the fee that a withdrawal is charged now. */
  current(coin: CoinNetwork): CoinNetwork {
    const reading = this.readingFor(coin);
    return reading === undefined ? coin : { ...coin, fee: reading.fee };
  }

  /**
   * Returns true if the fee that is charged now was computed from the network's cost, not taken from the
   * table of fixed fees in `core/network.ts`.
   */
  isLive(coin: CoinNetwork): boolean {
    return this.readingFor(coin) !== undefined;
  }

  /** Returns true if operators chose the fixed fees of the table in `core/network.ts` for the network. */
  isTableOnly(network: string): boolean {
    return this.tableOnly.has(network);
  }

  /** Returns the withdrawal fees of a network's coins, in the order in which users see the coins. */
  view(network: string): readonly WithdrawalFeeView[] {
    return this.parts.chains.offered.coinNetworks
      .filter((coin) => coin.network.code === network)
      .map((coin) => {
        const reading = this.readings.get(keyOf(coin));
        const { least, most } = feeBounds(coin);
        return {
          asset: coin.asset,
          fee: this.current(coin).fee,
          isLive: this.isLive(coin),
          tableFee: coin.fee,
          least,
          most,
          cost: reading?.cost,
          readAt: reading?.at,
        };
      });
  }

  /**
   * Reads the cost of a payment of each coin that a channel to a real chain sends, once per network for all its coins,
   * and computes the fees anew. Never throws: if a cost cannot be read, the failure is logged and the last
   * computed fees remain while they are fresh.
   */
  async refresh(): Promise<void> {
    const { chains } = this.parts;
    const sent = chains.offered.coinNetworks.filter((coin) => {
      const kind = chains.sending(coin.asset, coin.network.code);
      return kind !== 'none' && kind !== 'demo';
    });
    const networks = [...groupBy(sent, ({ network }) => network.code).values()];
    await Promise.all(networks.map((coins) => this.refreshNetwork(coins)));
  }

  /**
   * Chooses the fees of all coins on a network: the fixed fees of the table in `core/network.ts`, or fees that follow
   * the network's cost. Refuses a network that is not offered.
   */
  choose(
    network: string,
    isTableOnly: boolean,
    { by, reason }: { readonly by: string; readonly reason: string },
  ): Promise<void> {
    const { chains, clock, database, log } = this.parts;
    if (!chains.offered.has(network)) throw new Refused(refusal('generic', 'l.not_found'));
    return this.decisions.run(network, async () => {
      const now = clock.now();
      const choice = { id: newId(systemRandom, now), network, by, reason, now };
      await (isTableOnly ? startTableFees : endTableFees)(database.store, choice);
      const others = [...this.tableOnly].filter((code) => code !== network);
      this.tableOnly = new Set(isTableOnly ? [...others, network] : others);
      log.warn('treasury.withdrawal_fees_chosen', { network, tableOnly: isTableOnly, by, reason });
    });
  }

  private readingFor(coin: CoinNetwork): FeeReading | undefined {
    if (this.tableOnly.has(coin.network.code)) return undefined;
    const reading = this.readings.get(keyOf(coin));
    return reading !== undefined && isFresh(reading, this.parts.clock.now()) ? reading : undefined;
  }

  private async refreshNetwork(coins: readonly CoinNetwork[]): Promise<void> {
    const { chains, log } = this.parts;
    const network = coins[0]!.network.code;
    try {
      const assets = coins.map(({ asset }) => asset);
      const costs = await chains.paymentCosts(assets, network);
      for (const coin of coins) this.refreshCoin(coin, costs.get(coin.asset));
      this.unread.delete(network);
    } catch (cause) {
      // After a failed reading the last computed fees apply until they are older than `FRESH_MS`, then those of the
      // table.
      if (!this.unread.has(network)) log.warn('treasury.withdrawal_fees_not_read', { network, cause });
      this.unread.add(network);
    }
  }

  private refreshCoin(coin: CoinNetwork, paid: PaymentCost | undefined): void {
    const { clock, market } = this.parts;
    if (paid === undefined) return;
    // A cost in the coin itself needs no price.
    const cost =
      paid.coin === coin.asset
        ? paid.amount
        : convertedCost(paid.amount, market.usdtIndex(paid.coin), market.usdtIndex(coin.asset));
    if (cost === undefined) return;
    const charged = this.readings.get(keyOf(coin))?.fee;
    this.readings.set(keyOf(coin), { fee: liveFee(coin, cost, charged), cost, at: clock.now() });
  }
}

function keyOf({ asset, network }: CoinNetwork): string {
  return `${asset} ${network.code}`;
}
