import type { RecurringFrequency, RecurringSkip } from '@exchange/core/recurring.ts';
import type { NoticeKind, PlanStatus } from './domain.ts';

/**
 * The rows of the tables of recurring buys; amounts are decimal text, instants are in milliseconds since
 * 1970.
 */
export type RecurringTables = {
  recurring_plan: {
    id: string;
    owner: string;
    asset: string;
    amount: string;
    frequency: RecurringFrequency;
    weekday: number | null;
    month_day: number | null;
    minute: number;
    time_zone: string;
    status: PlanStatus;
    next_at: bigint | null;
    skipped: number;
    created_at: bigint;
    ended_at: bigint | null;
    origin: string | null;
  };
  recurring_plan_coin: {
    plan: string;
    position: number;
    asset: string;
    share: number;
    buys: number;
    paid: string;
    received: string;
    first_paid: string;
    first_received: string;
  };
  recurring_buy: {
    id: string;
    plan: string;
    owner: string;
    asset: string;
    scheduled_at: bigint;
    executed_at: bigint;
    missed: number;
  };
  recurring_buy_coin: {
    buy: string;
    position: number;
    asset: string;
    amount: string;
    exchange: string | null;
    received: string;
    skipped: RecurringSkip | null;
  };
  recurring_notice: {
    id: string;
    buy: string;
    kind: NoticeKind;
  };
};
