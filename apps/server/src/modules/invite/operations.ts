import { Decimal } from '@exchange/core/decimal.ts';
import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { feeShares } from '@exchange/core/invite.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import * as described from '@exchange/wire/console/desk.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { InviteCommands } from './commands.ts';
import { heldRewards, marksOf, newestMarks, type HeldReward, type Mark } from './marks-repository.ts';

const LIST_SIZE = 100;

interface OperationParts {
  readonly database: Pick<Database, 'store'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: InviteCommands;
}

/**
 * Console operations on suspicions that an inviter and an invitee are the same person: the list, and the release of
 * held rewards, which a second operator approves.
 */
export function inviteOperations(parts: OperationParts): Operation[] {
  return [
    serveList(described.inviteMarks, async ({ fields: { before } }) => {
      const marks = await newestMarks(parts.database.store, placeOf(before), LIST_SIZE);
      const heldAmounts = await heldRewards(
        parts.database.store,
        marks.map(({ invitee }) => invitee),
      );
      const lastMark = marks.at(-1);
      const isMore = marks.length === LIST_SIZE && lastMark !== undefined;
      return {
        list: marks.map((mark) => rowOf(mark, heldAmounts)),
        next: isMore ? `${lastMark.at}.${lastMark.invitee}` : undefined,
      };
    }),
    serveAction(described.releaseRewards, {
      check: (call) => heldMark(parts, call),
      secondPerson: { evidence: (call) => releaseEvidence(parts, call) },
      run: async (call) => {
        const { invitee, reasons } = await heldMark(parts, call);
        return parts.sequencer.execute(
          parts.commands.release,
          { invitee, reasons: [...reasons] },
          { actor: whyOf(call).by },
        );
      },
    }),
  ];
}

/**
 * What the second operator who approves the release of held rewards sees: the pair, the reasons for the suspicion, and
 * the held amounts. If a reason is added meanwhile, the approval is invalid.
 */
async function releaseEvidence(
  parts: OperationParts,
  call: OperatorCall,
): Promise<EvidenceOf<typeof described.releaseRewards>> {
  const mark = await heldMark(parts, call);
  const heldAmounts = await heldRewards(parts.database.store, [mark.invitee]);
  return {
    facts: { owner: mark.invitee, inviter: mark.inviter, reasons: mark.reasons.join(' ') },
    // The held amounts grow every day, so the approval does not require that they are unchanged.
    context: { held: amountsOf(heldAmounts) },
  };
}

async function heldMark({ database }: OperationParts, { parameters }: OperatorCall): Promise<Mark> {
  const owner = parameters['owner'] ?? '';
  const mark = isUuid(owner)
    ? (await marksOf(database.store, [owner as UserId])).get(owner as UserId)
    : undefined;
  if (mark === undefined || mark.holding.length === 0) throw new Refused(refusal('generic', 'l.not_found'));
  return mark;
}

function rowOf(mark: Mark, heldAmounts: readonly HeldReward[]) {
  const { invitee, inviter, reasons, holding, at } = mark;
  return {
    owner: invitee,
    inviter,
    reasons: reasons.join(' '),
    isHeld: holding.length > 0,
    held: amountsOf(heldAmounts.filter((reward) => reward.invitee === invitee)),
    markedAt: at,
  };
}

/**
 * The amounts by coin that inviter and invitee together would receive if these rewards were released, e.g.
 * `1.5 BTC + 20 USDT`.
 */
function amountsOf(heldAmounts: readonly HeldReward[]): string {
  const amounts = new Map<string, Decimal>();
  for (const { asset, fee, points } of heldAmounts) {
    const { discount, reward } = feeShares(fee, points);
    amounts.set(asset, (amounts.get(asset) ?? Decimal.zero).plus(discount).plus(reward));
  }
  return [...amounts].map(([asset, amount]) => `${amount.toString()} ${asset}`).join(' + ');
}

function placeOf(before: string | undefined) {
  const [at = '', invitee = ''] = (before ?? '').split('.');
  if (!/^\d{1,15}$/.test(at) || !isUuid(invitee)) return undefined;
  return { at: instant(Number(at)), invitee: invitee as UserId };
}
