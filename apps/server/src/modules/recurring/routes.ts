import type { RecurringFrequency } from '@exchange/core/recurring.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as wire from '@exchange/wire/recurring.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import { presentBuy, presentPlan } from './present.ts';
import type { Recurring } from './service.ts';

/** The endpoints of recurring buys. */
export function recurringRoutes(recurring: Recurring): Route[] {
  return [
    route(wire.recurringPlans, async ({ ended, ...page }, { session }) => {
      const plans = await recurring.plans(session.userId, ended, page);
      return pageAnswer(mapPage(plans, presentPlan), page);
    }),
    submissionRoute(wire.createRecurring, {
      operation: 'recurring.create',
      serve: ({ currency, amount, coins, ...times }, { session, submission }) => {
        const request = {
          asset: currency,
          amount,
          coins,
          schedule: scheduleOf(times),
        };
        return recurring.create(session.userId, request, submission);
      },
    }),
    route(wire.pauseRecurring, async ({ id }, { session }) =>
      presentPlan(await recurring.change(session.userId, id, 'paused')),
    ),
    route(wire.resumeRecurring, async ({ id }, { session }) =>
      presentPlan(await recurring.change(session.userId, id, 'active')),
    ),
    route(wire.endRecurring, async ({ id }, { session }) =>
      presentPlan(await recurring.change(session.userId, id, 'ended')),
    ),
    route(wire.recurringBuys, async ({ id, ...page }, { session }) => {
      if (id !== undefined) await recurring.plan(session.userId, id);
      const buys = await recurring.buys(session.userId, id, page);
      return pageAnswer(mapPage(buys, presentBuy), page);
    }),
  ];
}

interface Times {
  readonly frequency: RecurringFrequency;
  readonly weekday?: number | undefined;
  readonly monthDay?: number | undefined;
  readonly time: number;
  readonly timeZone: string;
}

/**
 * The schedule of a request: the weekday only for a weekly plan, the day of the month only for a monthly one. Refuses a
 * request in which the day that its frequency requires is missing.
 */
function scheduleOf({ frequency, weekday, monthDay, time, timeZone }: Times) {
  if (frequency === 'week' && weekday === undefined)
    throw new Refused(refusal('invalidField', 'l.field_required', { field: 'weekday' }));
  if (frequency === 'month' && monthDay === undefined)
    throw new Refused(refusal('invalidField', 'l.field_required', { field: 'monthDay' }));
  return {
    frequency,
    weekday: frequency === 'week' ? weekday : undefined,
    monthDay: frequency === 'month' ? monthDay : undefined,
    minute: time,
    timeZone,
  };
}
