import { throughAll } from '../../platform/jobs/due-work.ts';
import { timeText } from '../../platform/time-text.ts';
import { CHUNK, EarnJobs, type EarnJobsDeps } from '../earn/index.ts';
import { deliverNotices, type AddressedMessage } from '../messages/index.ts';
import type { FinanceCommands } from './commands.ts';
import { accruedOf } from './domain.ts';
import {
  dueAccruals,
  duePayments,
  financeNotices,
  owedAccruals,
  type DueOrder,
  type Notice,
} from './records-repository.ts';
import { financeMessages } from './words/messages.ts';

const { kinds } = financeMessages;
const KIND_OF_NOTICE = {
  bought: kinds.financeBought,
  matured: kinds.financeMatured,
} as const;

interface Deps extends EarnJobsDeps {
  readonly commands: FinanceCommands;
}

/**
 * The job that makes due payments: first it accrues the next day of every order that has earned a day which is not
 * accrued yet, completed orders with owed interest first; then it pays out matured orders. Missed days are accrued one
 * after another. The commands leave out orders that are not due.
 */
export function financeJobs(deps: Deps): EarnJobs {
  const { store } = deps.database;
  return new EarnJobs(deps, {
    name: 'finance',
    overdueText: 'orders wait for their interest or payment',
    settle: () => settleDue(deps),
    oldest: async (now) => [
      ...(await dueAccruals(store, now, undefined, 1)),
      ...(await duePayments(store, now, undefined, 1)),
    ],
    sendNotices: async () => {
      await deliverNotices(deps, 'finance notices', financeNotices, (notices) => notices.map(messageOf));
    },
  });
}

async function settleDue({ bulkheads, commands, sequencer, database, clock, log }: Deps): Promise<void> {
  const { store } = database;
  // The queries for days to accrue and for payments use the same time. An order that matures between the queries is
  // therefore paid out by the next run, after its last day was accrued.
  const now = clock.now();
  const accrue = (orders: readonly DueOrder[]) =>
    bulkheads
      .bulkheadOf('finance interest')
      .together(orders, idOf, (due, actor) =>
        sequencer.execute(
          commands.accrue,
          { orders: due.map(({ id, owner, day }) => ({ id, owner, day })) },
          { actor },
        ),
      );
  await throughAll<DueOrder>((behind) => owedAccruals(store, now, behind, CHUNK), accrue);
  await throughAll<DueOrder>((behind) => dueAccruals(store, now, behind, CHUNK), accrue);
  let owedOrders = 0;
  await throughAll<DueOrder>(
    (behind) => duePayments(store, now, behind, CHUNK),
    (orders) =>
      bulkheads.bulkheadOf('finance payments').together(orders, idOf, async (due, actor) => {
        const input = { orders: due.map(({ id, owner }) => ({ id, owner })) };
        const paid = await sequencer.execute(commands.pay, input, { actor });
        owedOrders += paid.owing;
        return paid;
      }),
  );
  if (owedOrders > 0) log.error('finance.interest_owed', { orders: owedOrders });
}

function idOf({ id }: DueOrder): string {
  return id;
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
        days: String(order.period),
        amount: amount.toString(),
        principal: order.principal.toString(),
        total: accruedOf(order).toString(),
        order: order.id,
        start: timeText(order.startAt),
        end: timeText(order.endAt),
      },
    },
  };
}
