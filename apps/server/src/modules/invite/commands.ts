import { feeShares, SHARED_POINTS_MAX } from '@exchange/core/invite.ts';
import type { UserId } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import { holdOwed, releaseOwed } from './marks-repository.ts';
import {
  insertOwed,
  insertReward,
  owedOf,
  removeOwed,
  rewardedOf,
  saveShare,
  sharesOf,
} from './repository.ts';

const user = idOf<UserId>();
const row = z.object({
  invitee: user,
  inviter: user,
  asset: z.string(),
  fee: decimal,
  /** Whether the pair is marked as one person: what it earns stays owed and is not paid. */
  held: z.optional(z.boolean()),
});
const payInput = z.object({
  day: instantField,
  rows: z.array(row),
  /** Whether what cannot be paid now is stored as owed; entries from before have none, and left it out. */
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
 * Pays the shares of fees that invited people paid on a day; leaves alone what was rewarded before. What cannot be paid
 * now, because its coin is halted or the fees are not there, stays owed until it is, by the points of its day.
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
      const before = await rewardedOf(
        step.sql,
        day,
        rows.map(({ invitee }) => invitee),
      );
      const owed = await owedOf(
        step.sql,
        day,
        rows.map(({ invitee }) => invitee),
      );
      let done = 0;
      for (const { invitee, inviter, asset, fee, held = false } of rows) {
        const key = `${invitee} ${asset}`;
        if (invitee === inviter || before.has(key)) continue;
        const points = owed.get(key) ?? shares.get(inviter) ?? 0;
        const { discount, reward } = feeShares(fee, points);
        const isShort = discount.plus(reward).isMore(ledger.balance(FEES, asset));
        if (held || isShort || ledger.isHalted(asset)) {
          if (owes === true && !owed.has(key))
            await insertOwed(step.sql, { invitee, inviter, asset, day, fee, points, at: step.now });
          if (held) await holdOwed(step.sql, { invitee, asset, day });
          continue;
        }
        const spot = (of: UserId) => userAddress(of, 'spot', 'available');
        const postings: Posting[] = [
          { source: FEES, destination: spot(inviter), asset, amount: reward },
          { source: FEES, destination: spot(invitee), asset, amount: discount },
        ];
        const moved = postings.filter(({ amount }) => amount.isPositive());
        if (moved.length > 0) ledger.post(step, 'invite.paid', null, moved);
        await insertReward(step.sql, { invitee, inviter, asset, day, fee, discount, reward, at: step.now });
        if (owed.has(key)) await removeOwed(step.sql, { invitee, asset, day });
        done += 1;
      }
      return { done };
    },
  });
}

/** What invitations may do. Rewards are parts of fees that were taken, and come from where those lie. */
export function inviteCommands(ledger: Ledger) {
  return {
    ...oweCommands(),

    pay: payCommand(ledger),

    /**
     * Ends what these reasons hold of an invited person's rewards; the next payment pays them. Gives how many rewards.
     * The caller has had two operators look at the pair.
     */
    release: sqlCommand({
      name: 'invite.release',
      input: releaseInput,
      run: async (step, { invitee, reasons }) => ({
        released: await releaseOwed(step.sql, invitee, reasons, step.now),
      }),
    }),

    /** Demo: play money that stands for fees of days before the first start. */
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

    /** Sets what an inviter passes on. */
    share: sqlCommand({
      name: 'invite.share',
      input: shareInput,
      run: async (step, { owner, points }) => {
        const share = Math.min(SHARED_POINTS_MAX, Math.max(0, points));
        await saveShare(step.sql, owner, share);
        return { share };
      },
    }),
  };
}

function oweCommands() {
  return {
    /**
     * Writes down as owed what was neither paid nor owed yet of these fees, by the points that are passed on now: a reward
     * whose payment failed is not lost when its day is done.
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
        const paid = await rewardedOf(step.sql, day, invitees);
        for (const { invitee, inviter, asset, fee } of rows) {
          if (invitee === inviter || paid.has(`${invitee} ${asset}`)) continue;
          const points = shares.get(inviter) ?? 0;
          await insertOwed(step.sql, { invitee, inviter, asset, day, fee, points, at: step.now });
        }
        return {};
      },
    }),
  };
}

export type InviteCommands = ReturnType<typeof inviteCommands>;

/** Invitations without their service, for a replay: the commands and what they have to make again. */
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
