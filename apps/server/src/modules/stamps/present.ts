import type { DataOf } from '@exchange/wire/endpoint.ts';
import type * as wire from '@exchange/wire/stamps.ts';
import { digestOf, fileBytes, readTimestamp } from './opentimestamps.ts';
import type { Stamp } from './repository.ts';

export function presentStamp({
  hour,
  at,
  statement,
  proofs,
}: Stamp): DataOf<typeof wire.stamps>['list'][number] {
  return {
    hour,
    time: at,
    sha256: digestOf(statement).toString('hex'),
    calendars: proofs.map(({ calendar, block }) => ({ url: calendar, block })),
  };
}

export function presentStampFile(stamp: Stamp): DataOf<typeof wire.stampFile> {
  const { hour, at, statement, proofs } = stamp;
  const digest = digestOf(statement);
  const items = proofs.flatMap(({ proof }) => readTimestamp(proof).items);
  return {
    hour,
    time: at,
    statement,
    sha256: digest.toString('hex'),
    ots: items.length === 0 ? undefined : fileBytes(digest, { items }).toString('base64'),
  };
}
