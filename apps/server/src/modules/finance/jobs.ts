import { throughAll } from '../../platform/jobs/due-work.ts';
import { timeText } from '../../platform/time-text.ts';
import { CHUNK, EarnJobs, type EarnJobsDeps } from '../earn/index.ts';
import type { AddressedMessage } from '../messages/index.ts';
import type { FinanceCommands } from './commands.ts';
import { accruedOf } from './domain.ts';
import { dueAccruals, duePayments, takeNotices, type DueOrder, type Notice } from './records-repository.ts';

const KINDS = { bought: 'financeBought', income: 'financeIncome', matured: 'financeMatured' } as const;

interface Deps extends EarnJobsDeps {
  readonly commands: FinanceCommands;
}

/**
 * Finds what is due and proposes it: the next day of every order that has earned one, then the payment of what has
 * matured. Days that were missed are caught up one after another; a step leaves alone what is not due.
 */
export function financeJobs(deps: Deps): EarnJobs {
  const { store } = deps.database;
  return new EarnJobs(deps, {
    name: 'finance',
    lateness: 'orders wait for their interest or payment',
    settle: () => settleDue(deps),
    oldest: async (now) => [
      ...(await dueAccruals(store, now, undefined, 1)),
      ...(await duePayments(store, now, undefined, 1)),
    ],
    take: async (tx, limit) => (await takeNotices(tx, limit)).map(messageOf),
  });
}

async function settleDue({ commands, sequencer, database, clock }: Deps): Promise<void> {
  const { store } = database;
  await throughAll<DueOrder>(
    (behind) => dueAccruals(store, clock.now(), behind, CHUNK),
    (orders) =>
      sequencer.execute(commands.accrue, {
        orders: orders.map(({ id, owner, day }) => ({ id, owner, day })),
      }),
  );
  await throughAll<DueOrder>(
    (behind) => duePayments(store, clock.now(), behind, CHUNK),
    (orders) => sequencer.execute(commands.pay, { orders: orders.map(({ id, owner }) => ({ id, owner })) }),
  );
}

function messageOf({ id, kind, amount, order }: Notice): AddressedMessage {
  return {
    userId: order.owner,
    about: kind === 'income' ? id : order.id,
    message: {
      type: 'asset',
      kind: KINDS[kind],
      parameters: {
        ...{ coin: order.asset, days: String(order.period) },
        ...{ amount: amount.toString(), principal: order.principal.toString() },
        ...{ total: accruedOf(order).toString(), order: order.id },
        ...{ start: timeText(order.startAt), end: timeText(order.endAt) },
      },
    },
  };
}
