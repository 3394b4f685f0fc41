import { feeShares, SHARED_PERCENT_MAX } from '@exchange/core/invite.ts';
import type { UserId } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import { holdReward, releaseRewards } from './marks-repository.ts';
import {
  insertOwed,
  insertReward,
  owedPoints,
  removeOwed,
  paidRewards,
  saveShare,
  sharesOf,
} from './repository.ts';

const user = idOf<UserId>();
const row = z.object({
  invitee: user,
  inviter: user,
  asset: z.string(),
  fee: decimal,
  /**
   * True if inviter and invitee are suspected to be the same person; the invitee's rewards are then held: they stay
   * owed until operators release them.
   */
  held: z.optional(z.boolean()),
});
const payInput = z.object({
  day: instantField,
  rows: z.array(row),
  /**
   * True if rewards that cannot be paid now are stored as owed; if undefined, as in the demo's rewards for past days
   * and in the inputs of older journals, such rewards are left out.
   */
  owes: z.optional(z.boolean()),
});
const oweInput = z.object({
  day: instantField,
  rows: z.array(row),
});
const stockInput = z.object({ asset: z.string(), amount: decimal });
const releaseInput = z.object({ invitee: user, reasons: z.array(z.string()) });
const shareInput = z.object({ owner: user, points: z.int() });

export type PaidFee = z.infer<typeof row>;

const FEES = houseAddress('fees');

/**
 * Pays inviters and invitees their shares of the fees that the invitees paid on the UTC day that starts at
 * `day`; rewards that were paid before, and those of a user for the user's own fees, are left out. A reward
 * that cannot be paid now, because it is held, its coin is halted or the fee account has too little of the
 * coin, stays owed (if `owes` is true) with the percentage points of the first attempt.
 */
function payCommand(ledger: Ledger) {
  return sqlCommand({
    name: 'invite.pay',
    input: payInput,
    prepare: ({ rows }) => ledger.prepareAll(rows.flatMap(({ invitee, inviter }) => [invitee, inviter])),
    run: async (step, { day, rows, owes }) => {
      const shares = await sharesOf(
        step.sql,
        rows.map(({ inviter }) => inviter),
      );
      const rewarded = await paidRewards(
        step.sql,
        day,
        rows.map(({ invitee }) => invitee),
      );
      const owed = await owedPoints(
        step.sql,
        day,
        rows.map(({ invitee }) => invitee),
      );
      let paidCount = 0;
      for (const { invitee, inviter, asset, fee, held = false } of rows) {
        const key = `${invitee} ${asset}`;
        if (invitee === inviter || rewarded.has(key)) continue;
        const points = owed.get(key) ?? shares.get(inviter) ?? 0;
        const { discount, reward } = feeShares(fee, points);
        const isShort = discount.plus(reward).isMore(ledger.balance(FEES, asset));
        if (held || isShort || ledger.isHalted(asset)) {
          if (owes === true && !owed.has(key))
            await insertOwed(step.sql, { invitee, inviter, asset, day, fee, points, at: step.now });
          if (held) await holdReward(step.sql, { invitee, asset, day });
          continue;
        }
        const spotAddress = (user: UserId) => userAddress(user, 'spot', 'available');
        const postings: Posting[] = [
          { source: FEES, destination: spotAddress(inviter), asset, amount: reward },
          { source: FEES, destination: spotAddress(invitee), asset, amount: discount },
        ];
        const moved = postings.filter(({ amount }) => amount.isPositive());
        if (moved.length > 0) ledger.post(step, 'invite.paid', null, moved);
        await insertReward(step.sql, { invitee, inviter, asset, day, fee, discount, reward, at: step.now });
        if (owed.has(key)) await removeOwed(step.sql, { invitee, asset, day });
        paidCount += 1;
      }
      return { done: paidCount };
    },
  });
}

/** The commands of invitations. Rewards are shares of the collected fees and are paid from the fee account. */
export function inviteCommands(ledger: Ledger) {
  return {
    ...oweCommands(),

    pay: payCommand(ledger),

    /**
     * Releases all held rewards of an invitee, so that the next payment pays them, and stores `reasons` as dismissed.
     * Returns the number of released rewards. The caller must have had two operators review the pair of inviter and
     * invitee.
     */
    release: sqlCommand({
      name: 'invite.release',
      input: releaseInput,
      run: async (step, { invitee, reasons }) => ({
        released: await releaseRewards(step.sql, invitee, reasons, step.now),
      }),
    }),

    /**
     * For the demo: credits play money to the fee account, as if fees had been collected before the demo's first start.
     */
    stock: sqlCommand({
      name: 'invite.stock',
      input: stockInput,
      run: (step, { asset, amount }) => {
        ledger.post(step, 'invite.funded', null, [
          { source: worldAddress(asset, 'demo'), destination: FEES, asset, amount },
        ]);
        return Promise.resolve({});
      },
    }),

    /**
     * Sets how many percentage points of the fees an inviter passes on to invitees, limited to the range from 0 to
     * `SHARED_PERCENT_MAX`. Returns the number that was set.
     */
    share: sqlCommand({
      name: 'invite.share',
      input: shareInput,
      run: async (step, { owner, points }) => {
        const share = Math.min(SHARED_PERCENT_MAX, Math.max(0, points));
        await saveShare(step.sql, owner, share);
        return { share };
      },
    }),
  };
}

function oweCommands() {
  return {
    /**
     * Stores as owed those of the given invitation rewards that are neither paid nor owed yet, with the
     * current percentage points, so that a failed payment is not lost at the end of its day.
     */
    owe: sqlCommand({
      name: 'invite.owe',
      input: oweInput,
      run: async (step, { day, rows }) => {
        const invitees = rows.map(({ invitee }) => invitee);
        const shares = await sharesOf(
          step.sql,
          rows.map(({ inviter }) => inviter),
        );
        const rewarded = await paidRewards(step.sql, day, invitees);
        for (const { invitee, inviter, asset, fee } of rows) {
          if (invitee === inviter || rewarded.has(`${invitee} ${asset}`)) continue;
          const points = shares.get(inviter) ?? 0;
          await insertOwed(step.sql, { invitee, inviter, asset, day, fee, points, at: step.now });
        }
        return {};
      },
    }),
  };
}

export type InviteCommands = ReturnType<typeof inviteCommands>;

/**
 * The commands of invitations, and the queries of the state that a replay of the journal must reproduce,
 * without the service.
 */
export function inviteReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(inviteCommands(ledger)),
    state: {
      inviteShares: 'select s::text as row, s.owner as turn from invite_share s',
      inviteRewards: 'select r::text as row, (r.invitee, r.day, r.asset) as turn from invite_reward r',
      inviteOwed: 'select o::text as row, (o.invitee, o.day, o.asset) as turn from invite_owed o',
      inviteReleases: 'select r::text as row, r.invitee as turn from invite_release r',
      inviteTotals: 'select t::text as row, (t.inviter, t.asset) as turn from invite_total t',
    },
  };
}
