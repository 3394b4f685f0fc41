import { Decimal } from '@exchange/core/decimal.ts';
import { allocate } from '@exchange/core/subscription.ts';
import { loadFile, type Part } from './queries.ts';

interface Result {
  readonly isRefunded: boolean;
  readonly commitmentHash: string;
  readonly terms: {
    readonly issueAmount: string;
    readonly ratio: string;
    readonly hardCapUser: string;
    readonly tokenDigits: number;
  };
  readonly results: readonly { readonly line: string; readonly amount: string; readonly allocated: string }[];
}

/** What was found about a participant's own line; all true where the sale was kept to its word. */
export interface Checked {
  /** The file of commitments is the one whose hash was announced. */
  readonly isAnnounced: boolean;
  /** The own line stands in it with the own amount. */
  readonly isMineThere: boolean;
  /** The formula gives every line what the result says. */
  readonly isRecomputed: boolean;
  /** The result's own line is what was received. */
  readonly isReceived: boolean;
}

/** Checks a commitment in the browser against both public files. */
export async function checkLine(part: Part, commitmentHash: string | undefined): Promise<Checked> {
  const [commitments, result] = await Promise.all([
    loadFile(part.projectId, 'commitments'),
    loadFile(part.projectId, 'result'),
  ]);
  const file = JSON.parse(commitments.content) as {
    readonly commitments: readonly { readonly line: string; readonly amount: string }[];
  };
  const made = JSON.parse(result.content) as Result;
  const mine = file.commitments.find(({ line }) => line === part.line);
  const { issueAmount, ratio, hardCapUser, tokenDigits } = made.terms;
  const terms = {
    ...{ issueAmount: Decimal.parse(issueAmount), ratio: Decimal.parse(ratio) },
    ...{ hardCapUser: Decimal.parse(hardCapUser), tokenDigits },
  };
  const amounts = file.commitments.map(({ amount }) => Decimal.parse(amount));
  const given = made.isRefunded ? amounts.map(() => Decimal.zero) : allocate(amounts, terms);
  const told = new Map(made.results.map(({ line, allocated }) => [line, allocated]));
  const hash = await sha256(commitments.content);
  return {
    isAnnounced: hash === commitmentHash && hash === made.commitmentHash,
    isMineThere: mine?.amount === part.committed,
    isRecomputed:
      told.size === given.length &&
      file.commitments.every(({ line }, at) => told.get(line) === given[at]!.toString()),
    isReceived: told.get(part.line) === part.allocated,
  };
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
