import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { prepare, readWorkload, runWorkload } from './adapter.ts';

type Message = readonly [
  type: 'new' | 'ioc' | 'cancel' | 'modify',
  order: number,
  side: 'buy' | 'sell',
  price: number,
  quantity: number,
];

/** Returns a workload file in the format of the benchmark. */
function fileOf(messages: readonly Message[]): Buffer {
  const file = Buffer.alloc(16 + 40 * messages.length);
  file.writeBigUInt64LE(0x4d45_4257_5f30_3031n, 0);
  file.writeUInt32LE(1, 8);
  file.writeUInt32LE(messages.length, 12);
  for (const [at, [type, order, side, price, quantity]] of messages.entries()) {
    const start = 16 + 40 * at;
    file[start] = { new: 0, ioc: 0, cancel: 1, modify: 2 }[type];
    file[start + 1] = side === 'sell' ? 1 : 0;
    file[start + 2] = type === 'ioc' ? 1 : 0;
    file.writeUInt32LE(quantity, start + 4);
    file.writeBigUInt64LE(BigInt(at), start + 8);
    file.writeBigUInt64LE(BigInt(order), start + 16);
    file.writeBigInt64LE(BigInt(price), start + 24);
  }
  return file;
}

function run(...messages: Message[]) {
  const workload = readWorkload(fileOf(messages));
  const { reports, book } = runWorkload(workload, prepare(workload));
  const lines = Array.from({ length: reports.count }, (_, n) => reports.lineAt(n));
  return { lines, hash: reports.hash(), book };
}

describe('the adapter of the benchmark of matching engines', () => {
  it('SPOT-1254 reports trades at the makers’ prices, best price first and oldest order first', () => {
    const { lines } = run(
      ['new', 1, 'sell', 101, 5],
      ['new', 2, 'sell', 100, 5],
      ['new', 3, 'sell', 100, 5],
      ['new', 4, 'buy', 101, 12],
    );
    expect(lines).toEqual([
      '0,0,1,1,101,5',
      '0,1,1,2,100,5',
      '0,2,1,3,100,5',
      '0,3,0,4,101,12',
      '1,3,100,5,2,4',
      '1,3,100,5,3,4',
      '1,3,101,2,1,4',
    ]);
  });

  it('SPOT-1254 an immediate order’s remainder is cancelled, and a remaining limit order rests at its own price', () => {
    const { lines, book } = run(
      ['new', 1, 'buy', 100, 5],
      ['new', 2, 'buy', 98, 5],
      ['ioc', 3, 'sell', 99, 7],
      ['new', 4, 'sell', 98, 9],
      ['ioc', 5, 'buy', 97, 1],
    );
    expect(lines.slice(2)).toEqual([
      '0,2,1,3,99,7',
      '1,2,100,5,1,3',
      '2,2,1,3,99',
      '0,3,1,4,98,9',
      '1,3,98,5,2,4',
      '0,4,0,5,97,1',
      '2,4,0,5,97',
    ]);
    expect(book.best('sell')).toMatchObject({ price: 98n, amount: 4n });
  });

  it('SPOT-1254 a modified order goes to the back of its queue and trades if it crosses; orders that are gone are refused', () => {
    const { lines } = run(
      ['new', 1, 'sell', 100, 5],
      ['new', 2, 'sell', 100, 5],
      ['modify', 1, 'sell', 100, 6],
      ['new', 3, 'buy', 99, 5],
      ['modify', 3, 'buy', 101, 6],
      ['cancel', 3, 'buy', 99, 5],
      ['modify', 2, 'sell', 100, 7],
      ['cancel', 1, 'sell', 100, 5],
      ['cancel', 9, 'sell', 100, 5],
    );
    expect(lines.slice(2)).toEqual([
      '3,2,1,1,100,6',
      '0,3,0,3,99,5',
      '1,4,100,5,2,3',
      '1,4,100,1,1,3',
      '3,4,0,3,101,6',
      '4,5,3',
      '5,6,2',
      '2,7,1,1,100',
      '4,8,9',
    ]);
  });

  it('SPOT-1254 the hash is that of all lines, without a line break at the end', () => {
    const { lines, hash } = run(['new', 1, 'sell', 100, 5], ['cancel', 1, 'sell', 100, 5]);
    expect(hash).toBe(createHash('sha256').update(lines.join('\n')).digest('hex'));
  });

  it('SPOT-1254 a file of another format, with missing messages or in another order is refused', () => {
    const file = fileOf([['new', 1, 'sell', 100, 5]]);
    expect(() => readWorkload(file.subarray(0, 40))).toThrow('has 40 bytes');
    expect(() => readWorkload(Buffer.alloc(56))).toThrow('no workload file');
    const shuffled = Buffer.from(file);
    shuffled.writeBigUInt64LE(7n, 24);
    expect(() => readWorkload(shuffled)).toThrow('message 0 is out of order');
  });
});
