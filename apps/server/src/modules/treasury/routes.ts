import type { DataOf } from '@exchange/wire/endpoint.ts';
import { debts } from '@exchange/wire/treasury.ts';
import { mapPage, pageAnswer, route, type Route } from '../../platform/http/route.ts';
import { remainingOf, type Debt } from './domain.ts';
import type { Treasury } from './service.ts';

/** Returns the handlers of the treasury endpoints that `wire/treasury` declares. */
export function treasuryRoutes(treasury: Treasury): Route[] {
  return [
    route(debts, async ({ status, ...page }, { session }) =>
      pageAnswer(mapPage(await treasury.debtsOf(session.userId, status === 'open', page), presentDebt), page),
    ),
  ];
}

function presentDebt(debt: Debt): DataOf<typeof debts>['list'][number] {
  const { closedAt } = debt;
  return {
    id: debt.id,
    currency: debt.asset,
    amount: debt.amount.toString(),
    paid: debt.paid.toString(),
    remaining: remainingOf(debt).toString(),
    cause: debt.cause,
    status: debt.outcome ?? 'open',
    createTime: debt.createdAt,
    ...(closedAt === undefined ? {} : { closeTime: closedAt }),
  };
}
