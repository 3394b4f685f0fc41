import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import { entryHash } from './chain.ts';
import type { ChainHead, StoredEntry } from './domain.ts';

/** An entry on its way: its place in the chain is given when its batch is sealed. */
export type DraftEntry = Omit<StoredEntry, 'sequence'> & { sequence: number; hash: string };

/** Writes entries behind `head`, which moves with every batch. */
export function entryWriter(head: ChainHead) {
  return rowWriter<DraftEntry>({
    table: 'ledger_entry',
    columns: {
      sequence: 'bigint',
      at: 'bigint',
      kind: 'word',
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
