import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import type { Reader } from '../../platform/database/database.ts';
import { command, sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import { holdingsOf, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import { CLAIM, claimProblem, DEMO_TRADER_FUNDS, nextClaimAt, type Portion } from './domain.ts';
import { lastClaim, recordClaim } from './repository.ts';

const PLAY_MONEY = 'demo';

const owner = idOf<UserId>();
const portions = z.array(z.object({ asset: z.string(), amount: decimal }));
const claimInput = z.object({ owner });
const fundInput = z.object({ owner, wanted: portions, kind: z.enum(['inventory.funded', 'faucet.claimed']) });

/**
 * Commands that credit play money: a user's claim once in 24 hours, and the funding of the market makers' inventories
 * and of the demo trader.
 */
export function faucetCommands(ledger: Ledger) {
  const prepare = (input: { owner: UserId }) => ledger.prepare(input.owner);
  const totalOf = (user: UserId, asset: string): Decimal => {
    const [available, frozen] = (['available', 'frozen'] as const).map((bucket) =>
      ledger.balance(userAddress(user, 'spot', bucket), asset),
    );
    return available!.plus(frozen!);
  };
  return {
    claim: sqlCommand({
      name: 'faucet.claim',
      input: claimInput,
      prepare,
      run: async (step, input) => {
        const problem = claimProblem(await lastClaim(step.sql, input.owner), step.now);
        if (problem !== undefined) throw new Refused(problem);
        ledger.post(step, 'faucet.claimed', step.newId(), postings(input.owner, CLAIM));
        await recordClaim(step.sql, input.owner, step.now);
        const credited = CLAIM.map(({ asset, amount }) => ({ currency: asset, amount: amount.toString() }));
        return { credited, nextTime: nextClaimAt(step.now) };
      },
    }),
    /**
     * Raises the user's total in each coin (spot balance including frozen amounts) to the wanted amount. Leaves out
     * halted coins and coins of which the user already has that much.
     */
    fund: command({
      name: 'faucet.fund',
      input: fundInput,
      prepare,
      run: (step, { owner, wanted, kind }) => {
        const missing = wanted
          .map(({ asset, amount }) => ({ asset, amount: amount.minus(totalOf(owner, asset)) }))
          .filter(({ asset, amount }) => amount.isPositive() && !ledger.isHalted(asset));
        if (missing.length > 0) ledger.post(step, kind, step.newId(), postings(owner, missing));
      },
    }),
  };
}

/**
 * The commands of the faucet, and the query of the state (all claims) that a replay of the journal must
 * reproduce.
 */
export function faucetReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(faucetCommands(ledger)),
    state: { claims: 'select c::text as row, c.owner as turn from faucet_claim c' },
  };
}

/**
 * Credits play money in demo mode. The ledger posts it from the accounts `world:…:demo`, so that the ledger stays
 * balanced.
 */
export class Faucet {
  private readonly sequencer: Sequencer;
  private readonly reader: Reader;
  private readonly commands: ReturnType<typeof faucetCommands>;

  constructor({ sequencer, ledger, reader }: { sequencer: Sequencer; ledger: Ledger; reader: Reader }) {
    this.sequencer = sequencer;
    this.reader = reader;
    this.commands = faucetCommands(ledger);
    sequencer.register(Object.values(this.commands));
  }

  /**
   * Earliest time at which a user may claim play money again, in milliseconds UTC. It is 0 or in the past if the user
   * may claim now.
   */
  async state(user: UserId): Promise<{ nextTime: number }> {
    const lastClaimedAt = await lastClaim(this.reader, user);
    return { nextTime: lastClaimedAt === undefined ? 0 : nextClaimAt(lastClaimedAt) };
  }

  /**
   * Credits play money to a user, once in 24 hours; a further claim within that time is refused with the time
   * of the next possible one.
   */
  claim(user: UserId, submission?: Submission) {
    return this.sequencer.execute(this.commands.claim, { owner: user }, { actor: user, submission });
  }

  /**
   * Raises a market maker's spot balances, frozen amounts included, to the wanted amounts; halted coins are left out.
   */
  async fund(user: UserId, wanted: readonly Portion[]): Promise<void> {
    await this.fundWith(user, wanted, 'inventory.funded');
  }

  /**
   * Credits the demo trader's initial play money; does nothing if the trader already has a ledger account,
   * even one with a zero balance.
   */
  async fundDemoTrader(user: UserId): Promise<void> {
    if ((await holdingsOf(this.reader, user)).length === 0)
      await this.fundWith(user, DEMO_TRADER_FUNDS, 'faucet.claimed');
  }

  private async fundWith(
    user: UserId,
    wanted: readonly Portion[],
    kind: 'inventory.funded' | 'faucet.claimed',
  ): Promise<void> {
    await this.sequencer.execute(this.commands.fund, { owner: user, wanted: [...wanted], kind });
  }
}

function postings(user: UserId, portions: readonly Portion[]): Posting[] {
  return portions.map(({ asset, amount }) => ({
    source: worldAddress(asset, PLAY_MONEY),
    destination: userAddress(user, 'spot', 'available'),
    asset,
    amount,
  }));
}
