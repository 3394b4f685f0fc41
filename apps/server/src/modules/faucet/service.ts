import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { userAddress, worldAddress, type EntryKind, type Ledger, type Posting } from '../ledger/index.ts';
import { CLAIM, claimProblem, DEMO_TRADER_FUNDS, nextClaimAt, type Portion } from './domain.ts';
import { lastClaim, recordClaim } from './repository.ts';

const PLAY_MONEY = 'demo';

/** Play money for the demo market: comes from `world:…:demo`, so the ledger still adds up. */
export class Faucet {
  private readonly sequencer: Sequencer;
  private readonly ledger: Ledger;
  private readonly reader: Reader;

  constructor({ sequencer, ledger, reader }: { sequencer: Sequencer; ledger: Ledger; reader: Reader }) {
    this.sequencer = sequencer;
    this.ledger = ledger;
    this.reader = reader;
  }

  /** When a user can claim next, in milliseconds UTC; a moment that is past, or 0 for the first claim, is now. */
  async state(owner: UserId): Promise<{ nextTime: number }> {
    const last = await lastClaim(this.reader, owner);
    return { nextTime: last === undefined ? 0 : nextClaimAt(last) };
  }

  /** Credits a starting balance, once in 24 hours; refuses an earlier claim with the time of the next. */
  async claim(owner: UserId, key?: string) {
    await this.ledger.prepare(owner);
    return this.sequencer.runWithSql('faucet.claim', { actor: owner, key }, async (step) => {
      const problem = claimProblem(await lastClaim(step.sql, owner), step.now);
      if (problem !== undefined) throw new Refused(problem);
      this.ledger.postRecorded(step, 'faucet.claimed', step.newId(), postings(owner, CLAIM));
      await recordClaim(step.sql, owner, step.now);
      const credited = CLAIM.map(({ asset, amount }) => ({ currency: asset, amount: amount.toString() }));
      const nextTime: number = nextClaimAt(step.now);
      return { credited, nextTime };
    });
  }

  /** Fills an inventory up to the wanted amounts; what is there already is not topped up, and no halted asset is. */
  async fund(owner: UserId, wanted: readonly Portion[], kind: EntryKind = 'inventory.funded'): Promise<void> {
    await this.ledger.prepare(owner);
    await this.sequencer.run('faucet.fund', {}, (step) => {
      const missing = wanted
        .map(({ asset, amount }) => ({ asset, amount: amount.minus(this.worth(owner, asset)) }))
        .filter(({ asset, amount }) => amount.isPositive() && !this.ledger.isHalted(asset));
      if (missing.length > 0) this.ledger.postRecorded(step, kind, step.newId(), postings(owner, missing));
    });
  }

  /** Gives the demo trader the starting balance, the first time only. */
  async fundDemoTrader(owner: UserId): Promise<void> {
    await this.ledger.prepare(owner);
    if (this.ledger.accountsInMemory(owner).length === 0)
      await this.fund(owner, DEMO_TRADER_FUNDS, 'faucet.claimed');
  }

  private worth(owner: UserId, asset: string): Decimal {
    const available = this.ledger.balance(userAddress(owner, 'spot', 'available'), asset);
    return available.plus(this.ledger.balance(userAddress(owner, 'spot', 'frozen'), asset));
  }
}

function postings(owner: UserId, portions: readonly Portion[]): Posting[] {
  return portions.map(({ asset, amount }) => ({
    source: worldAddress(asset, PLAY_MONEY),
    destination: userAddress(owner, 'spot', 'available'),
    asset,
    amount,
  }));
}
