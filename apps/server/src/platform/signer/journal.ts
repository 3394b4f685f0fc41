import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const entry = z.strictObject({
  origin: z.string(),
  /** Hash over everything that is paid: chain, asset, address, amount. */
  digest: z.string(),
  asset: z.string(),
  amount: z.string(),
  nonce: z.int(),
  at: z.int(),
  raw: z.string(),
});
export type Signed = z.output<typeof entry>;

/** What was signed, on disk before anybody gets it: the signer's own memory, which no database can contradict. */
export class SigningJournal {
  private readonly entries = new Map<string, Signed>();
  private readonly file: number;
  private size = 0;

  /** Opens the journal in a folder; a last line that a crash cut was never answered, and is taken away. */
  constructor(folder: string) {
    const path = join(folder, 'signed.jsonl');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n').filter(Boolean)) this.keep(entry.parse(JSON.parse(line)));
    this.file = openSync(path, 'a', 0o600);
    ftruncateSync(this.file, Buffer.byteLength(whole));
    this.size = this.entries.size;
  }

  find(origin: string): Signed | undefined {
    return this.entries.get(origin);
  }

  /** One more than the greatest nonce that was ever used. */
  get nextNonce(): number {
    return this.next;
  }

  /** Everything of an asset since a moment. */
  amountsSince(asset: string, since: number): string[] {
    return [...this.entries.values()]
      .filter((one) => one.asset === asset && one.at > since)
      .map(({ amount }) => amount);
  }

  get count(): number {
    return this.size;
  }

  /** Keeps what was signed; on disk when it returns. */
  add(signed: Signed): void {
    writeSync(this.file, `${JSON.stringify(signed)}\n`);
    fsyncSync(this.file);
    this.keep(signed);
    this.size += 1;
  }

  close(): void {
    closeSync(this.file);
  }

  private next = 0;

  private keep(signed: Signed): void {
    this.entries.set(signed.origin, signed);
    this.next = Math.max(this.next, signed.nonce + 1);
  }
}
