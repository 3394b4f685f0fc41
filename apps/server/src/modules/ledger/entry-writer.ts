import type { Decimal } from '@exchange/core/decimal.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { Account } from './account.ts';
import { chainedHash, postingText } from './chain.ts';
import type { ChainHead } from './domain.ts';

/**
 * The postings of a ledger entry as a flat list: source account, destination account and amount of the first posting,
 * then of the second, and so on.
 */
export type Moves = (Account | Decimal)[];

/**
 * A ledger entry that is not stored yet. Its sequence number and hash are set when the batch of its step is about to be
 * stored.
 */
export class DraftEntry {
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly moves: Moves;
  /** The previous ledger entry of the same step; undefined for the first entry of a step. */
  readonly before: DraftEntry | undefined;
  sequence = 0;
  hash = '';
  sources = '';
  destinations = '';
  amounts = '';

  constructor(
    at: number,
    kind: string,
    reference: string | null,
    moves: Moves,
    before: DraftEntry | undefined,
  ) {
    this.at = at;
    this.kind = kind;
    this.reference = reference;
    this.moves = moves;
    this.before = before;
  }

  /** Appends the ledger entry to the hash chain that ends at `head`, and advances `head`. */
  seal(head: ChainHead): void {
    const { moves } = this;
    let text = '';
    for (let index = 0; index < moves.length; index += 3) {
      const source = (moves[index] as Account).id;
      const destination = (moves[index + 1] as Account).id;
      const amount = (moves[index + 2] as Decimal).toString();
      const separator = index === 0 ? '' : ',';
      this.sources += separator + source;
      this.destinations += separator + destination;
      this.amounts += separator + amount;
      text += postingText(source, destination, amount);
    }
    head.sequence += 1;
    this.sequence = head.sequence;
    head.hash = chainedHash(head.hash, this, text);
    this.hash = head.hash;
  }
}

/**
 * Creates a writer of ledger entries that appends to the hash chain that ends at `head`; every
 * batch advances `head`.
 */
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
      for (const row of rows) row.seal(head);
    },
    cells: (row) => [
      row.sequence,
      row.at,
      row.kind,
      row.reference,
      `{${row.sources}}`,
      `{${row.destinations}}`,
      `{${row.amounts}}`,
      row.hash,
    ],
  });
}
