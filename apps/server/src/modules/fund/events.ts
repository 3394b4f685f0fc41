import type { UserId } from '@exchange/core/ids.ts';
import { eventKind } from '../../platform/events.ts';
import type { PositionStatus } from './domain.ts';

export interface FundChanged {
  readonly owner: UserId;
  readonly id: string;
  readonly fund: string;
  readonly status: PositionStatus;
}

export const fundChanged = eventKind<FundChanged>('fund.changed');
