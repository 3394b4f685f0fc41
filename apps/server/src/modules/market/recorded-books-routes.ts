import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/recorded-book.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import type { RecordedBooks, StoredPart } from './recorded-books.ts';

/** The endpoints of the recorded order books; all are public. */
export function recordedBookRoutes(books: RecordedBooks): readonly Route[] {
  return [
    route(wire.recordedParts, async ({ symbol, ...page }) =>
      pageAnswer(mapPage(await books.list(symbol, page), presentPart), page),
    ),
    route(wire.recordedPart, async ({ symbol, at, seq }) => {
      if (seq !== undefined) {
        const { text, stored } = await books.numbered(symbol, seq);
        return { text, part: stored && presentPart(stored) };
      }
      if (at === undefined) throw new Refused(refusal('invalidField', 'l.field_required', { field: 'at' }));
      const { found, previousUntil } = await books.at(symbol, instant(at));
      return {
        text: found?.text,
        part: found?.stored && presentPart(found.stored),
        previousUntil,
      };
    }),
  ];
}

function presentPart({ symbol, seq, from, until, changeCount, hash, key, signature }: StoredPart) {
  return {
    symbol,
    seq,
    from,
    until,
    changes: changeCount,
    hash,
    key,
    signature,
  };
}
