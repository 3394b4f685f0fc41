import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Account } from './balances.ts';
import { entryHash, type StoredEntry } from './chain.ts';

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
  };
  ledger_movement_cursor: { id: number; sequence: bigint };
};

export const accountWriter = rowWriter<Account>({
  table: 'ledger_account',
  columns: { id: 'bigint', address: 'text', asset: 'text', owner: 'uuid', balance: 'numeric' },
  cells: (row) => [
    row.id,
    row.address,
    row.asset,
    row.held?.owner ?? null,
    Decimal.ofAtoms(row.atoms).toString(),
  ],
  upsert: { key: ['id'], keyOf: (row) => row, update: ['balance'] },
});

/** An entry on its way: its place in the chain is given when its batch is sealed. */
export type DraftEntry = Omit<StoredEntry, 'sequence'> & { sequence: number; hash: string };

/** Where the chain of entries ends. */
export interface ChainHead {
  sequence: number;
  hash: string;
}

/** Writes entries behind `head`, which moves with every batch. */
export function entryWriter(head: ChainHead) {
  return rowWriter<DraftEntry>({
    table: 'ledger_entry',
    columns: {
      sequence: 'bigint',
      at: 'bigint',
      kind: 'text',
      reference: 'uuid',
      sources: 'bigint[]',
      destinations: 'bigint[]',
      amounts: 'numeric[]',
      hash: 'bytea',
    },
    seal: (rows) => {
      for (const row of rows) {
        head.sequence += 1;
        row.sequence = head.sequence;
        head.hash = entryHash(head.hash, row);
        row.hash = head.hash;
      }
    },
    cells: (row) => [
      row.sequence,
      row.at,
      row.kind,
      row.reference,
      `{${row.sources.join(',')}}`,
      `{${row.destinations.join(',')}}`,
      `{${row.amounts.join(',')}}`,
      row.hash,
    ],
  });
}
