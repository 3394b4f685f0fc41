import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { addressOf, addressText, type EntryKind, type Posting } from './domain.ts';

/** The operation under which the step journal keeps entries of their own. */
export const POSTED = 'ledger.post';

interface RecordedPost {
  readonly kind: EntryKind;
  readonly reference: string | null;
  /** Source, destination, asset, amount. */
  readonly postings: readonly (readonly [string, string, string, string])[];
}

/** An entry as the journal keeps it. */
export function recordedPost(
  kind: EntryKind,
  reference: string | null,
  postings: readonly Posting[],
): RecordedPost {
  return {
    kind,
    reference,
    postings: postings.map(({ source, destination, asset, amount }) => [
      addressText(source),
      addressText(destination),
      asset,
      amount.toString(),
    ]),
  };
}

/** The entry behind what the journal keeps, and the users whose accounts it touches. */
export function readRecordedPost(input: unknown): {
  kind: EntryKind;
  reference: string | null;
  postings: Posting[];
  owners: UserId[];
} {
  const { kind, reference, postings } = input as RecordedPost;
  const read = postings.map(([source, destination, asset, amount]): Posting => ({
    source: addressOf(source),
    destination: addressOf(destination),
    asset,
    amount: Decimal.parse(amount),
  }));
  const owners = read.flatMap(({ source, destination }) =>
    [source.owner, destination.owner].filter((owner) => owner !== undefined),
  );
  return { kind, reference, postings: read, owners };
}
