import type { Decimal } from '@exchange/core/decimal.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { Account } from './account.ts';
import { chainedHash, postingText } from './chain.ts';
import type { ChainHead } from './domain.ts';

/** What an entry moves: source, destination, amount, source, and so on. */
export type Moves = (Account | Decimal)[];

/** An entry on its way: its text and its place in the chain are made when its batch is sealed. */
export class DraftEntry {
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly moves: Moves;
  /** The entry that the same step posted before. */
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

  /** Takes its place behind `head`, which moves on to it. */
  seal(head: ChainHead): void {
    const { moves } = this;
    let text = '';
    for (let at = 0; at < moves.length; at += 3) {
      const source = (moves[at] as Account).id;
      const destination = (moves[at + 1] as Account).id;
      const amount = (moves[at + 2] as Decimal).toString();
      const separator = at === 0 ? '' : ',';
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
