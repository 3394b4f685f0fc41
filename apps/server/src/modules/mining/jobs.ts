import { throughAll } from '../../platform/jobs/due-work.ts';
import { timeText } from '../../platform/time-text.ts';
import { CHUNK, EarnJobs, type EarnJobsDeps } from '../earn/index.ts';
import { deliverNotices, type AddressedMessage } from '../messages/index.ts';
import type { MiningCommands } from './commands.ts';
import { totalOf } from './domain.ts';
import { dueCredits, miningNotices, type DueOrder, type Notice } from './records-repository.ts';
import { miningMessages } from './words/messages.ts';

const { kinds } = miningMessages;
const KIND_OF_NOTICE = {
  bought: kinds.miningStarted,
  ended: kinds.miningEnded,
  redeemed: kinds.miningRedeemed,
} as const;

interface Deps extends EarnJobsDeps {
  readonly commands: MiningCommands;
}

/** The job that credits due mining income, missed days one after another, and sends the notices about orders. */
export function miningJobs(deps: Deps): EarnJobs {
  return new EarnJobs(deps, {
    name: 'mining',
    overdueText: 'mining orders wait for their income',
    settle: () => creditDue(deps),
    oldest: (now) => dueCredits(deps.database.store, now, undefined, 1),
    sendNotices: async () => {
      await deliverNotices(deps, 'mining notices', miningNotices, (notices) => notices.map(messageOf));
    },
  });
}

function creditDue({ bulkheads, commands, sequencer, database, clock }: Deps): Promise<void> {
  return throughAll<DueOrder>(
    (behind) => dueCredits(database.store, clock.now(), behind, CHUNK),
    (orders) =>
      bulkheads.bulkheadOf('mining income').together(
        orders,
        ({ id }) => id,
        (due, actor) =>
          sequencer.execute(
            commands.credit,
            { orders: due.map(({ id, owner, day }) => ({ id, owner, day })) },
            { actor },
          ),
      ),
  );
}

function messageOf({ kind, amount, order }: Notice): AddressedMessage {
  return {
    userId: order.owner,
    about: order.id,
    message: {
      type: 'asset',
      kind: KIND_OF_NOTICE[kind],
      parameters: {
        coin: order.asset,
        days: String(order.cycle),
        order: order.id,
        amount: amount.toString(),
        principal: order.principal.toString(),
        total: totalOf(order).toString(),
        start: timeText(order.startAt),
        end: timeText(order.endAt),
      },
    },
  };
}
