import { Decimal } from '@exchange/core/decimal.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { accountEvents, EVENT_FILTERS } from '@exchange/wire/portfolio.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { ACCOUNT } from '../balance/balances.ts';
import { useSession } from '../session/session-store.ts';
import type { StatementGroup } from './statement.ts';

/** What happened on the accounts: one row for each event. */
export type EventRow = DataOf<typeof accountEvents>['list'][number];
export type EventChange = EventRow['changes'][number];
export type EventFilterName = (typeof EVENT_FILTERS)[number];

/** Narrows the history; what is absent does not narrow. Times in milliseconds, both included. */
export interface EventFilter {
  readonly event?: EventFilterName | undefined;
  readonly currency?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** The events that a group of the statement stands for. */
const GROUP_EVENTS: Readonly<Record<StatementGroup, EventFilterName | undefined>> = {
  all: undefined,
  spot: 'trade',
  seconds: 'seconds',
  products: 'products',
};

export function eventOfGroup(group: StatementGroup): EventFilterName | undefined {
  return GROUP_EVENTS[group];
}

/** The kind of event that an address names; undefined where it names none. */
export function eventOfName(name: string | null): EventFilterName | undefined {
  return EVENT_FILTERS.find((event) => event === name);
}

/** The events, newest first, page by page. */
export function useEvents({ event, currency, startTime, endTime }: EventFilter) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const fields = {
    ...(event === undefined ? {} : { event }),
    ...(currency === undefined ? {} : { currency }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  };
  return useGrowingList<EventRow>(
    ACCOUNT.use('events', fields),
    (page, signal) => call(accountEvents, { ...fields, ...page }, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/** An event as it is shown. */
export interface EventView {
  /** What changed on the account it is told from: the spot account where it has a part, else the one that has. */
  readonly main: readonly EventChange[];
  /** Where coins only moved between two accounts: from which to which. */
  readonly route: { readonly from: EventChange['account']; readonly to: EventChange['account'] } | undefined;
  /** What changed on other accounts besides; empty where `route` says it. */
  readonly others: readonly EventChange[];
}

/** What came stands before what left. */
export function viewOfEvent(changes: readonly EventChange[]): EventView {
  const mainAccount = changes.some(({ account }) => account === 'spot') ? 'spot' : changes[0]?.account;
  const sorted = changes.toSorted((left, right) => signOf(right) - signOf(left));
  const main = sorted.filter(({ account }) => account === mainAccount);
  const others = sorted.filter(({ account }) => account !== mainAccount);
  return { main, ...routeOf(main, others) };
}

function routeOf(
  main: readonly EventChange[],
  others: readonly EventChange[],
): Pick<EventView, 'route' | 'others'> {
  const [left] = main;
  const [right] = others;
  const isMove =
    left !== undefined &&
    right !== undefined &&
    main.length === 1 &&
    others.length === 1 &&
    left.currency === right.currency &&
    Decimal.parse(left.amount).plus(Decimal.parse(right.amount)).isZero();
  if (!isMove) return { route: undefined, others };
  const [from, to] = signOf(left) < 0 ? [left, right] : [right, left];
  return { route: { from: from.account, to: to.account }, others: [] };
}

function signOf({ amount }: EventChange): number {
  return amount.startsWith('-') ? -1 : 1;
}
