import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DepositSweeps } from './channel.ts';
import type { SweepableHolding } from './domain.ts';
import type { EvmToken } from './evm-domain.ts';
import type { StoredHolding } from './evm-repository.ts';
import { burntFor, feeLimitOf, TRX, TRX_DIGITS, type TronPrices } from './tron-domain.ts';
import { TronCallRefused, type TronNode } from './tron-node.ts';
import { dueTronHoldings, forgetTronHolding, postponeTronHolding } from './tron-payment-repository.ts';

interface Parts {
  readonly tokens: ReadonlyMap<string, EvmToken>;
  readonly node: TronNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  /** Address of the hot wallet, which receives the swept tokens. */
  readonly wallet: string;
  readonly least: Decimal;
  /** Greatest fee limit of a transaction, in sun (10^-6 TRX). */
  readonly feeMost: bigint;
  readonly height: () => number;
}

/**
 * Determines which tokens are on the deposit addresses of TRON, and the cost of sweeping them. TRX pays for the energy
 * of a sweep, but the exchange does not list TRX and so has no price for it; the settings therefore define the least
 * value of a sweep in USDT.
 */
export class TronSweeps implements DepositSweeps {
  readonly network = TRON;
  readonly coin = TRX;
  readonly factor = 0;
  readonly wallet: string;
  readonly least: Decimal;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    this.wallet = parts.wallet;
    this.least = parts.least;
  }

  /** Lists the tokens that are due to be checked for a sweep, as specified at `DepositSweeps.due`. */
  async due(limit: number): Promise<readonly SweepableHolding[]> {
    const { database, clock, node, tokens } = this.parts;
    const assets = [...tokens.keys()];
    const stored = await dueTronHoldings(database.store, { assets, now: clock.now(), limit });
    if (stored.length === 0) return [];
    const prices = await node.prices();
    const holdings: SweepableHolding[] = [];
    for (const holding of stored) holdings.push(await this.priced(holding, prices));
    return holdings;
  }

  /** Sets when a token on a deposit address is checked next, as specified at `DepositSweeps.looked`. */
  async looked(holding: SweepableHolding, next: Instant): Promise<void> {
    const { database, height } = this.parts;
    if (holding.held.isPositive())
      await postponeTronHolding(database.store, holding, { block: height(), next });
    else await forgetTronHolding(database.store, holding, height());
  }

  private async priced(holding: StoredHolding, prices: TronPrices): Promise<SweepableHolding> {
    const { node, tokens, feeMost } = this.parts;
    const { index, address, asset } = holding;
    const token = tokens.get(asset);
    const units = token === undefined ? 0n : await node.tokenBalance(token.contract, address);
    const energy =
      token === undefined || units === 0n ? undefined : await this.energyOf(holding, token, units);
    const held = Decimal.ofScaled(units, token?.digits ?? TRX_DIGITS);
    const limit = energy === undefined ? undefined : feeLimitOf(energy, prices);
    if (limit === undefined || limit > feeMost)
      return {
        index,
        address,
        asset,
        amount: Decimal.zero,
        held,
        gasLimit: 0n,
        mostFee: 0n,
        gas: undefined,
        cost: Decimal.zero,
      };
    const burnt = burntFor({ limits: limit, count: 1 }, prices, await node.resources(address));
    const lacking = burnt - (await node.coinBalance(address));
    const activation = lacking > 0n && !(await node.hasAccount(address)) ? prices.activation : 0n;
    return {
      index,
      address,
      asset,
      amount: held,
      held,
      gasLimit: limit / prices.energy,
      mostFee: prices.energy,
      gas: lacking > 0n ? Decimal.ofScaled(lacking, TRX_DIGITS) : undefined,
      cost: Decimal.ofScaled(burnt + activation, TRX_DIGITS),
    };
  }

  /** Returns the energy that a sweep of the token needs; undefined if the contract refuses the sweep. */
  private async energyOf(
    { address }: StoredHolding,
    { contract }: EvmToken,
    units: bigint,
  ): Promise<bigint | undefined> {
    const { node, wallet } = this.parts;
    try {
      return await node.energy(address, contract, { address: wallet, units });
    } catch (cause) {
      if (cause instanceof TronCallRefused) return undefined;
      throw cause;
    }
  }
}
