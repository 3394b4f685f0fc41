import { instant } from '@exchange/core/time.ts';
import { RECORDED_BOOK_ORIGIN } from '@exchange/core/recorded-book.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BookPart } from '../../apps/server/src/modules/market/domain/book-part.ts';
import { PublicBook } from '../../apps/server/src/modules/market/domain/public-book.ts';
import { SigningKey } from '../../apps/server/src/platform/secrets/signing-key.ts';
import { byForm, commitSeed } from '../test-form.ts';
import { bookFault } from './books.mjs';
import { sha256 } from './testing/random-tape.ts';

const key = new SigningKey(Buffer.alloc(32, 9));
const keys = new Map([[key.id, createPublicKey(key.publicKey)]]);
const scale = { priceDigits: 2, amountDigits: 5 };

interface Document {
  text: string;
  part: Record<string, unknown>;
}

/** Records random changes of an order book in several parts, as the exchange publishes them. */
function recordedParts(random: SeededGenerator, count: number): Document[] {
  const below = (bound: number) => Math.floor(random.next() * bound);
  const book = new PublicBook();
  const change = () => {
    const side = below(2) === 0 ? ('buy' as const) : ('sell' as const);
    const price = side === 'buy' ? 5_000_000 - below(230) : 5_000_001 + below(230);
    const level = { side, price: BigInt(price), amount: BigInt(below(4) * 1_000) };
    book.set(level);
    return level;
  };
  for (let levels = 0; levels < 600; levels += 1) change();
  let now = 1_795_219_200_000;
  let step = 0;
  let prev = RECORDED_BOOK_ORIGIN;
  return Array.from({ length: count }, (_, index) => {
    const from = instant(now);
    const part = new BookPart({ symbol: 'btcusdt', scale, book }, from, index > 0);
    for (let changes = 0; changes < 30; changes += 1) {
      step += 1;
      now += below(50);
      const levels = Array.from({ length: 1 + below(3) }, change);
      part.add({ step, at: instant(now), levels }, [], instant(now + below(9)));
    }
    now += 60;
    const ended = part.end(instant(now));
    const seq = index + 1;
    const text = ended.textWith(seq, prev);
    const hash = sha256(text);
    prev = hash;
    const { symbol, until } = ended;
    const signed = key.sign(['book', symbol, seq, until, hash].join('|'));
    return {
      text,
      part: {
        symbol,
        seq,
        from,
        until,
        changes: ended.changeCount,
        hash,
        ...signed,
      },
    };
  });
}

function faultsOf(documents: readonly Document[], withKeys = true) {
  const evidence = {
    keys: withKeys ? keys : new Map(),
    documents: documents.map((document, at) => [String(at), document] as const),
  };
  return documents.map((document) => bookFault(document, evidence));
}

/** Returns the document with a changed text and with the hash of that text. */
function rewritten(document: Document, change: (text: string) => string): Document {
  const text = change(document.text);
  return { text, part: { ...document.part, hash: sha256(text) } };
}

describe('the verifier of the recorded books', () => {
  it('RPL-010 parts as they are published hold, together and alone', () => {
    const random = new SeededGenerator(commitSeed);
    for (let round = 0; round < byForm(3, 100); round += 1) {
      const documents = recordedParts(random, 4);
      expect(faultsOf(documents)).toEqual(Array(4).fill(undefined));
      expect(faultsOf([documents[2]!], false)).toEqual([undefined]);
    }
  });

  it('RPL-010 each change of a part is found', () => {
    const documents = recordedParts(new SeededGenerator(commitSeed), 3);
    const [first, second, third] = documents as [Document, Document, Document];
    const changed = { ...second, text: second.text.replace('"buy","49', '"sell","49') };
    expect(faultsOf([first, changed, third])[1]).toBe('the text was changed');
    const resigned = rewritten(second, (text) => text.replace('"buy","49', '"sell","49'));
    expect(faultsOf([first, resigned, third])[1]).toBe('another signature');
    expect(faultsOf([first, resigned, third], false)[2]).toBe('it does not follow part 2');
    const spaced = rewritten(second, (text) => text.replace('"asks":', '"asks": '));
    expect(faultsOf([spaced], false)).toEqual(['the text is not canonical']);
    const moved = { ...second, part: { ...second.part, until: Number(second.part['until']) + 1 } };
    expect(faultsOf([moved])).toEqual(['it is described otherwise']);
    expect(bookFault({})).toBe('it has no part');
  });

  it('RPL-010 a part that claims to continue another, but begins with other levels, is found', () => {
    const documents = recordedParts(new SeededGenerator(commitSeed), 2);
    const [first, second] = documents as [Document, Document];
    const [bestBid] = (JSON.parse(second.text) as { bids: [string, string][] }).bids;
    const other = rewritten(second, (text) =>
      text.replace(`"${bestBid![0]}","${bestBid![1]}"`, `"${bestBid![0]}","9.00000"`),
    );
    expect(faultsOf([first, other], false)).toEqual([undefined, 'it does not begin where part 1 ends']);
    const interrupted = rewritten(other, (text) => text.replace('"continues":true', '"continues":false'));
    expect(faultsOf([first, interrupted], false)).toEqual([undefined, undefined]);
    const late = rewritten(second, (text) =>
      text.replace(`"from":${String(second.part['from'])}`, `"from":${Number(second.part['from']) + 1}`),
    );
    late.part['from'] = Number(second.part['from']) + 1;
    expect(faultsOf([first, late], false)[1]).toBe('it does not begin where part 1 ends');
  });
});
