import { Decimal } from '@exchange/core/decimal.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { accountEvents, EVENT_FILTERS } from '@exchange/wire/portfolio.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { TOTAL_ASSETS_KEYS } from '../balance/balances.ts';
import { useSession } from '../session/session-store.ts';
import type { StatementGroup } from './statement.ts';

/** An event of the account history as the server returns it. */
export type EventRow = DataOf<typeof accountEvents>['list'][number];
export type EventChange = EventRow['changes'][number];
export type EventFilterName = (typeof EVENT_FILTERS)[number];

/** Filters of the account history. An absent field restricts nothing. Times are in milliseconds UTC, both included. */
export interface EventFilter {
  readonly event?: EventFilterName | undefined;
  /**
   * Number of a ledger entry. If it is set, the list contains only the event that made this entry, whatever the other
   * filters.
   */
  readonly entry?: string | undefined;
  readonly currency?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/**
 * The event filter for each group of ledger entries, used for a URL that selects a group but names no event filter.
 * Undefined means that all events are listed.
 */
const GROUP_EVENTS: Readonly<Record<StatementGroup, EventFilterName | undefined>> = {
  all: undefined,
  spot: 'trade',
  seconds: 'seconds',
  products: 'products',
};

export function eventOfGroup(group: StatementGroup): EventFilterName | undefined {
  return GROUP_EVENTS[group];
}

/** Parses the name of an event filter from a URL; returns undefined for an unknown name. */
export function parseEventFilter(name: string | null): EventFilterName | undefined {
  return EVENT_FILTERS.find((event) => event === name);
}

/** Fetches the user's account events that match the filter, newest first, page by page; nothing for visitors. */
export function useEvents({ event, entry, currency, startTime, endTime }: EventFilter) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const fields = {
    ...(event === undefined ? {} : { event }),
    ...(entry === undefined ? {} : { entry }),
    ...(currency === undefined ? {} : { currency }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  };
  return useGrowingList<EventRow>(
    TOTAL_ASSETS_KEYS.use('events', fields),
    (page, signal) => call(accountEvents, { ...fields, ...page }, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/** The balance changes of an account event, in the arrangement in which they are displayed. */
export interface EventView {
  /**
   * The changes of the event's main account. This is the spot account if one of the changes concerns it, otherwise the
   * account of the first change.
   */
  readonly main: readonly EventChange[];
  /**
   * Source and target account of an event that only debits an amount of a coin from one of the user's accounts and
   * credits the same amount to another one; undefined for all other events.
   */
  readonly route: { readonly from: EventChange['account']; readonly to: EventChange['account'] } | undefined;
  /** Changes of accounts other than the main one. It is empty if `route` is set. */
  readonly others: readonly EventChange[];
}

/** Arranges the balance changes of an account event for display. Credits come before debits. */
export function viewOfEvent(changes: readonly EventChange[]): EventView {
  const mainAccount = changes.some(({ account }) => account === 'spot') ? 'spot' : changes[0]?.account;
  const sorted = changes.toSorted((a, b) => signOf(b) - signOf(a));
  const main = sorted.filter(({ account }) => account === mainAccount);
  const otherChanges = sorted.filter(({ account }) => account !== mainAccount);
  return { main, ...routeOf(main, otherChanges) };
}

function routeOf(
  main: readonly EventChange[],
  otherChanges: readonly EventChange[],
): Pick<EventView, 'route' | 'others'> {
  const [firstChange] = main;
  const [otherChange] = otherChanges;
  const isMove =
    firstChange !== undefined &&
    otherChange !== undefined &&
    main.length === 1 &&
    otherChanges.length === 1 &&
    firstChange.currency === otherChange.currency &&
    Decimal.parse(firstChange.amount).plus(Decimal.parse(otherChange.amount)).isZero();
  if (!isMove) return { route: undefined, others: otherChanges };
  const [source, target] = signOf(firstChange) < 0 ? [firstChange, otherChange] : [otherChange, firstChange];
  return { route: { from: source.account, to: target.account }, others: [] };
}

function signOf({ amount }: EventChange): number {
  return amount.startsWith('-') ? -1 : 1;
}
