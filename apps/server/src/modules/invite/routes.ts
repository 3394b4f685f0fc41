import type { Decimal } from '@exchange/core/decimal.ts';
import { flagOf } from '@exchange/wire/codecs.ts';
import { REWARD_DAYS, REWARD_POINTS, REWARD_WINDOW_MS } from '@exchange/core/invite.ts';
import * as wire from '@exchange/wire/invite.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import type { Invite } from './service.ts';

/** The HTTP endpoints of invitations. */
export function inviteRoutes(invite: Invite): Route[] {
  return [
    route(wire.inviteInfo, async (_, { session }) => {
      const { code, count, verified, share, income, discount } = await invite.info(session.userId);
      return {
        invitationCode: code,
        rate: REWARD_POINTS,
        days: REWARD_DAYS,
        share,
        discount,
        link: `/login/register?${wire.INVITATION_FIELD}=${code}`,
        count,
        validCount: verified,
        income: income.map(presentIncome),
      };
    }),
    route(wire.invitees, async (page, { session }) => {
      const invitees = await invite.invitees(session.userId, page);
      const rows = mapPage(invitees, ({ uid, registeredAt, isVerified, isHeld, income }) => ({
        uid: masked(uid),
        registerTime: registeredAt,
        verified: flagOf(isVerified),
        endTime: registeredAt + REWARD_WINDOW_MS,
        excluded: flagOf(isHeld),
        income: income.map(presentIncome),
      }));
      return pageAnswer(rows, page);
    }),
    route(wire.inviteRewards, async ({ startTime, endTime, ...page }, { session }) => {
      const period = { from: startTime, to: endTime };
      const rewards = await invite.rewards(session.userId, period, page);
      const rows = mapPage(rewards, ({ invitee, uid, day, asset, fee, reward, at }) => ({
        id: `${invitee}-${day}-${asset}`,
        uid: masked(uid),
        date: day,
        currency: asset,
        fee: fee.toString(),
        amount: reward.toString(),
        createTime: at,
      }));
      return pageAnswer(rows, page);
    }),
    submissionRoute(wire.setInviteShare, {
      operation: 'invite.share',
      serve: ({ points }, { session, submission }) => invite.setShare(session.userId, points, submission),
    }),
  ];
}

/** Masks an account number: only its first two and last two digits remain. */
function masked(uid: string): string {
  return `${uid.slice(0, 2)}****${uid.slice(-2)}`;
}

function presentIncome({ asset, amount }: { readonly asset: string; readonly amount: Decimal }) {
  return { currency: asset, amount: amount.toString() };
}
