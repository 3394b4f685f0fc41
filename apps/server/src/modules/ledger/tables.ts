import { changeWriter, rowWriter } from '../../platform/sequencer/row-writer.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Account } from './account.ts';

export type LedgerTables = {
  ledger_account: { id: bigint; address: string; asset: string; owner: string | null; balance: string };
  ledger_entry: {
    sequence: bigint;
    at: bigint;
    kind: string;
    reference: string | null;
    sources: bigint[];
    destinations: bigint[];
    amounts: string[];
    hash: Buffer;
  };
  ledger_checkpoint: { id: number; sequence: bigint; hash: Buffer };
  ledger_checkpoint_balance: { account: bigint; balance: string };
  ledger_movement: {
    owner: string;
    entry: bigint;
    posting: number;
    account: bigint;
    asset: string;
    bucket: string;
    kind: string;
    reference: string | null;
    amount: string;
    balance: string;
    at: bigint;
    entries: number;
  };
  ledger_movement_cursor: { id: number; sequence: bigint };
  ledger_halt_change: {
    sequence: bigint;
    asset: string;
    is_halted: boolean;
    set_by: string;
    reason: string;
    at: bigint;
  };
};

/** Writer that inserts new ledger accounts. */
export const accountWriter = rowWriter<Account>({
  table: 'ledger_account',
  columns: { id: 'bigint', address: 'text', asset: 'word', owner: 'uuid', balance: 'numeric' },
  cells: (row) => [
    row.id,
    row.address,
    row.asset,
    row.ownedAddress?.owner ?? null,
    Decimal.ofAtoms(row.atoms).toString(),
  ],
  keyOf: (row) => row,
});

/** Writer that updates the balances of stored ledger accounts. */
export const balanceWriter = changeWriter<Account>({
  after: accountWriter,
  key: ['id', 'bigint'],
  columns: { balance: 'numeric' },
  cells: (row) => [row.id, Decimal.ofAtoms(row.atoms).toString()],
});
