import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SigningJournal, type Signed } from './journal.ts';

const HOUR_MS = 3_600_000;
/** Number of journal entries in the test, which exceeds the initial size of the index. */
const MANY = 3_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-signed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function payment(number: number, at = number): Signed {
  return {
    origin: `withdrawal ${number}`,
    digest: 'd'.repeat(64),
    asset: 'ETH',
    amount: String(number),
    nonce: number,
    at,
    raw: `0x${'ab'.repeat(100)}`,
  };
}

const lineOf = (signed: Signed) => `${JSON.stringify(signed)}\n`;
const journalFile = () => join(folder, 'signed.jsonl');

it('WDR-097 payments are found in the file, before and after a restart', () => {
  writeFileSync(
    journalFile(),
    Array.from({ length: MANY - 1 }, (_, number) => lineOf(payment(number))).join(''),
  );
  const journal = new SigningJournal(folder);
  journal.add(payment(MANY - 1));
  const reopened = new SigningJournal(folder);
  for (const opened of [journal, reopened]) {
    for (const number of [0, 1, MANY - 1])
      expect(opened.find(`withdrawal ${number}`)).toEqual([payment(number)]);
    expect(opened.find('withdrawal')).toEqual([]);
    expect(opened).toMatchObject({ count: MANY, nextNonce: MANY });
    opened.close();
  }
});

it('WDR-097 amounts of the last day are kept in memory, and older ones are dropped', () => {
  const journal = new SigningJournal(folder);
  for (let hour = 0; hour < 200; hour += 1) journal.add(payment(hour, hour * HOUR_MS));
  const lastDay = journal.amountsSince('ETH', (199 - 24) * HOUR_MS);
  expect(lastDay).toEqual(Array.from({ length: 24 }, (_, index) => String(176 + index)));
  expect(journal.amountsSince('USDT', 0)).toEqual([]);
  expect(journal.amountsSince('ETH', -1).length).toBeLessThan(60);
  journal.close();
});

it('WDR-097 an incomplete line at the end, or before a complete entry, does not prevent the start', () => {
  const half = lineOf(payment(2)).slice(0, 40);
  writeFileSync(journalFile(), `${lineOf(payment(1))}${half}${lineOf(payment(3))}${half}`);
  const journal = new SigningJournal(folder);
  expect(journal.find('withdrawal 1')).toEqual([payment(1)]);
  expect(journal.find('withdrawal 2')).toEqual([]);
  expect(journal.find('withdrawal 3')).toEqual([payment(3)]);
  journal.add(payment(4));
  expect(journal.find('withdrawal 4')).toEqual([payment(4)]);
  journal.close();
  const reopened = new SigningJournal(folder);
  expect(reopened).toMatchObject({ count: 3, nextNonce: 5 });
  reopened.close();
});

it('WDR-097 an unreadable entry prevents the start, because a payment must not be forgotten', () => {
  writeFileSync(journalFile(), lineOf(payment(1)).replace('"nonce":1', '"nonce":x'));
  expect(() => new SigningJournal(folder)).toThrow('JSON');
});

it('WDR-097 an entry that a full disk stores only in part is not signed and is removed', () => {
  let isFull = false;
  const journal = new SigningJournal(folder, ((to: number, bytes: Buffer, from: number, length: number) => {
    if (!isFull) return writeSync(to, bytes, from, length);
    appendFileSync(journalFile(), bytes.subarray(from, from + 20));
    throw new Error('ENOSPC');
  }) as typeof writeSync);
  journal.add(payment(1));
  isFull = true;
  expect(() => journal.add(payment(2))).toThrow('ENOSPC');
  expect(readFileSync(journalFile(), 'utf8')).toBe(lineOf(payment(1)));
  isFull = false;
  journal.add(payment(2));
  expect(readFileSync(journalFile(), 'utf8')).toBe(lineOf(payment(1)) + lineOf(payment(2)));
  journal.close();
});

it('KEY-026 a journal to which another signer writes signs nothing, and both are read by the next start', () => {
  const [first, second] = [new SigningJournal(folder), new SigningJournal(folder)];
  first.add(payment(1));
  expect(() => second.add(payment(2))).toThrow('another signer writes to this journal');
  expect(readFileSync(journalFile(), 'utf8')).toBe(lineOf(payment(1)));
  first.add(payment(3));
  first.close();
  second.close();
  // A second process writes to the journal between this process's check of the file and its own write.
  let other: SigningJournal | undefined;
  const slow = new SigningJournal(folder, ((to: number, bytes: Buffer, from: number, length: number) => {
    other?.add(payment(4));
    other = undefined;
    return writeSync(to, bytes, from, length);
  }) as typeof writeSync);
  other = new SigningJournal(folder);
  expect(() => slow.add(payment(5))).toThrow('another signer writes to this journal');
  slow.close();
  const reopened = new SigningJournal(folder);
  expect(reopened).toMatchObject({ nextNonce: 6 });
  expect(reopened.find('withdrawal 4')).toEqual([payment(4)]);
  reopened.close();
});
