import { ConvertHistory } from '../convert/convert-history.tsx';
import { DepositRecords, WithdrawalRecords } from '../transfer/records.tsx';
import { EventList } from './event-list.tsx';
import type { TransferTab } from './history-address.ts';

interface TransferRecordsProps {
  readonly tab: TransferTab;
  /** A table for wide screens, cards for phones. */
  readonly look: 'table' | 'cards';
}

/** The own deposits, withdrawals, conversions or transfers between accounts, newest first. */
export function TransferRecords({ tab, look }: TransferRecordsProps) {
  if (tab === 'deposits') return <DepositRecords />;
  if (tab === 'withdrawals') return <WithdrawalRecords />;
  if (tab === 'conversions') return <ConvertHistory />;
  return <EventList filter={{ event: 'transfer' }} look={look} />;
}
