import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { GAS_TAG, transferData } from '../../platform/signer/protocol.ts';
import type { DepositSweeps } from './channel.ts';
import type { SweepableHolding } from './domain.ts';
import { checksummed, COIN_DIGITS, type EvmTerms } from './evm-domain.ts';
import { NodeRefused, type BalanceQuestion, type EvmNode } from './evm-node.ts';
import { dueHoldings, forgetHolding, postponeHolding, type StoredHolding } from './evm-repository.ts';

interface Parts {
  readonly terms: EvmTerms;
  /** Code of the chain's own coin, in which gas is paid; the exchange need not list it. */
  readonly feeCoin: string;
  readonly node: EvmNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  /** Address of the hot wallet, which receives the swept coins. */
  readonly wallet: string;
  readonly sweeping: {
    readonly factor: number;
    readonly least: Decimal | undefined;
    readonly maxFee: bigint;
  };
  readonly height: () => number;
  readonly finalBlock: () => number;
}

/** Fees per unit of gas in wei: the current fee, and the greatest fee for which gas is reserved. */
interface SweepFees {
  readonly now: bigint;
  readonly most: bigint;
}

/**
 * Multiples of the current base fee and tip for which gas is reserved on the deposit address. They are greater than
 * those with which a sweep is signed, so that the fee of the sweep can be raised later.
 */
const BASE_FEES_RESERVED = 4n;
const TIPS_RESERVED = 2n;
const GAS_MARGIN = 120n;
const PERCENT = 100n;

/** Determines which coins are on the deposit addresses of an EVM chain, and the cost of sweeping them. */
export class EvmSweeps implements DepositSweeps {
  readonly network: string;
  readonly coin: string;
  readonly wallet: string;
  readonly factor: number;
  readonly least: Decimal | undefined;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    this.network = parts.terms.network;
    this.coin = parts.feeCoin;
    this.wallet = parts.wallet;
    this.factor = parts.sweeping.factor;
    this.least = parts.sweeping.least;
  }

  /** Lists the coins that are due to be checked for a sweep, as specified at `DepositSweeps.due`. */
  async due(limit: number): Promise<readonly SweepableHolding[]> {
    const { database, clock, node, sweeping, finalBlock, terms } = this.parts;
    const { base, tip } = await node.fees();
    const fees = {
      now: base + tip,
      most: lower(base * BASE_FEES_RESERVED + tip * TIPS_RESERVED, sweeping.maxFee),
    };
    if (fees.now > fees.most) return [];
    const block = finalBlock();
    const assets = terms.coin === undefined ? [...terms.tokens.keys()] : [terms.coin, ...terms.tokens.keys()];
    const stored = await dueHoldings(database.store, this.network, {
      assets,
      block,
      now: clock.now(),
      limit,
    });
    if (stored.length === 0) return [];
    const held = await this.lastingBalances(stored.map((holding) => this.balanceOf(holding)));
    const coins = await this.lastingBalances(stored.map(({ address }) => ({ address, contract: undefined })));
    const holdings: SweepableHolding[] = [];
    for (const [at, holding] of stored.entries())
      holdings.push(await this.priced(holding, { units: held[at]!, coins: coins[at]!, fees }));
    // The chain's own coin on an address pays the gas for moving the tokens of that address, so this coin is moved
    // last.
    return holdings.toSorted(
      (left, right) => Number(left.asset === this.coin) - Number(right.asset === this.coin),
    );
  }

  /** Sets when a coin on a deposit address is checked next, as specified at `DepositSweeps.looked`. */
  async looked(holding: SweepableHolding, next: Instant): Promise<void> {
    const { database, finalBlock } = this.parts;
    const block = finalBlock();
    if (holding.held.isPositive())
      await postponeHolding(database.store, this.network, holding, { block, next });
    else await forgetHolding(database.store, this.network, holding, block);
  }

  private async priced(
    { index, address, asset }: StoredHolding,
    { units, coins, fees }: { readonly units: bigint; readonly coins: bigint; readonly fees: SweepFees },
  ): Promise<SweepableHolding> {
    const { terms, node, wallet } = this.parts;
    const token = terms.tokens.get(asset);
    const isCoin = asset === this.coin;
    const to = token?.contract ?? wallet;
    const data = token === undefined ? '0x' : transferData(wallet, units);
    const call = { from: address, to, value: '0x0', data };
    const estimated = units > 0n ? await this.gasOf(call) : undefined;
    if (estimated === undefined) return this.unmovable({ index, address, asset }, units);
    const gasLimit = (estimated * GAS_MARGIN) / PERCENT;
    const reserve = gasLimit * fees.most;
    const digits = token?.digits ?? COIN_DIGITS;
    const movable = isCoin ? units - reserve : units;
    const lacking = isCoin || reserve <= coins ? 0n : reserve - coins;
    const funding =
      lacking === 0n ? 0n : await node.gas({ from: wallet, to: address, value: '0x0', data: GAS_TAG });
    return {
      index,
      address: checksummed(address),
      asset,
      amount: movable > 0n ? Decimal.ofScaled(movable, digits) : Decimal.zero,
      held: Decimal.ofScaled(units, digits),
      gasLimit,
      mostFee: fees.most,
      gas: lacking === 0n ? undefined : Decimal.ofScaled(lacking, COIN_DIGITS),
      cost: Decimal.ofScaled((estimated + funding) * fees.now, COIN_DIGITS),
    };
  }

  /**
   * Returns the entry, with the amount zero, for a coin on a deposit address that cannot be moved now: none
   * of it is on the address, or the contract of the coin refuses the transfer.
   */
  private unmovable({ index, address, asset }: StoredHolding, units: bigint): SweepableHolding {
    return {
      index,
      address: checksummed(address),
      asset,
      amount: Decimal.zero,
      held: Decimal.ofScaled(units, this.parts.terms.tokens.get(asset)?.digits ?? COIN_DIGITS),
      gasLimit: 0n,
      mostFee: 0n,
      gas: undefined,
      cost: Decimal.zero,
    };
  }

  /**
   * Returns the number of units of gas that a transfer uses; undefined if the chain would refuse the
   * transfer.
   */
  private async gasOf(call: Parameters<EvmNode['gas']>[0]): Promise<bigint | undefined> {
    try {
      return await this.parts.node.gas(call);
    } catch (cause) {
      if (cause instanceof NodeRefused) return undefined;
      throw cause;
    }
  }

  private balanceOf({ address, asset }: StoredHolding): BalanceQuestion {
    return { address, contract: this.parts.terms.tokens.get(asset)?.contract };
  }

  /**
   * Returns for each query the lower of two balances, at the newest confirmed block and at the newest block,
   * so that no unconfirmed coins are moved.
   */
  private async lastingBalances(questions: readonly BalanceQuestion[]): Promise<bigint[]> {
    const { node, height, finalBlock } = this.parts;
    const confirmed = await node.balancesAt(finalBlock(), questions);
    const newest = await node.balancesAt(height(), questions);
    return confirmed.map((units, at) => lower(units, newest[at]!));
  }
}

function lower(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
