import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRecordedNode, recordedAnswers } from '../../../testing/recorded/recorded-node.ts';
import { arrivalsIn, hasLedgers, outcomesOf } from './xrp-domain.ts';
import { XrpNode } from './xrp-node.ts';

/** A recorded entry of a node's answer to `account_tx`. Tests change copies of it. */
interface Entry {
  hash?: string;
  ledger_index: number;
  validated?: boolean;
  tx_json: Record<string, unknown> & { readonly Account: string; Destination: string };
  meta: {
    AffectedNodes: { ModifiedNode: ChangedNode }[];
    TransactionResult: string;
    delivered_amount?: unknown;
  };
}

interface ChangedNode {
  LedgerEntryType: string;
  FinalFields?: Record<string, unknown>;
  PreviousFields?: Record<string, unknown>;
}

interface Recorded {
  readonly serverState: object;
  readonly fee: object;
  readonly ledger: object;
  readonly page: object;
  readonly transactions: Readonly<Record<string, Entry>>;
}

/** An id for the recorded partial payment, which was published without its id. */
const MADE_HASH = 'AB'.repeat(32);
const recorded = recordedAnswers('xrp') as Recorded;
/** A copy of a recorded transaction. */
const entryOf = (name: string) => structuredClone(recorded.transactions[name]!);

describe('recorded answers of nodes of the XRP Ledger', () => {
  let answer: object;
  let stop: () => void;
  let node: XrpNode;
  beforeAll(async () => {
    const started = await aRecordedNode(() => ({ result: answer }));
    ({ stop } = started);
    node = new XrpNode(started.url);
  });
  afterAll(() => stop());

  /** The transaction as the node reads it from `account_tx` for the account. */
  const readEntry = async ({ hash = MADE_HASH, ...entry }: Entry, account: string, page: object = {}) => {
    const ledger = entry.ledger_index;
    const transactions = [{ hash, ...entry }];
    answer = {
      account,
      validated: true,
      ledger_index_min: ledger,
      ledger_index_max: ledger,
      transactions,
      ...page,
    };
    const read = await node.transactions(account, { from: ledger, to: ledger, marker: undefined });
    return read.transactions[0]!;
  };
  /** The payments that a transaction brings to an account, as text: amount, tag and remark. */
  const arrivals = async (entry: Entry, account = entry.tx_json.Destination) =>
    arrivalsIn(await readEntry(entry, account), new Set([account])).map(
      ({ amount, memo, remark }) =>
        `${amount.toString()} ${memo ?? '-'}${remark === undefined ? '' : `: ${remark}`}`,
    );

  it('XRP-033 payments are read with what they delivered, for their tag', async () => {
    expect(await arrivals(entryOf('tagged'))).toEqual(['0.000087 5000157']);
    expect(await arrivals(entryOf('taggedLarge'))).toEqual(['104.169972 109735445']);
    // A payment without a destination tag is credited to no user.
    expect(await arrivals(entryOf('untagged'))).toEqual(['0.000001 -']);
    // A partial payment: it states an amount of a thousand million XRP, but delivers 0.004456 XRP.
    expect(await arrivals(entryOf('partial'))).toEqual(['0.004456 -']);
    const partial = entryOf('partial');
    partial.tx_json['DestinationTag'] = 7;
    expect(await arrivals(partial)).toEqual(['0.004456 7']);
  });

  it('XRP-033 failed payments and payments in issued currencies are no arrivals', async () => {
    const failed = entryOf('failed');
    expect(await arrivals(failed)).toEqual([]);
    const { Account: payer } = failed.tx_json;
    expect(outcomesOf([await readEntry(failed, payer)], payer)).toMatchObject([
      {
        sequence: 80_950_461,
        result: 'tecUNFUNDED_PAYMENT',
        fee: 15n,
      },
    ]);
    const issued = entryOf('issued');
    expect(issued.tx_json['DestinationTag']).toBe(811_921_039);
    expect(await arrivals(issued)).toEqual([]);
    // Exchanges of currencies within one account; the network states a negative delivery for one of them.
    for (const name of ['ownPartial', 'negativeDelivered']) expect(await arrivals(entryOf(name))).toEqual([]);
    const negative = entryOf('negativeDelivered');
    expect(await readEntry(negative, negative.tx_json.Destination)).toMatchObject({ delivered: undefined });
  });

  it('XRP-033 a page of an account, the state of the node, its fees and a ledger are read', async () => {
    answer = recorded.page;
    const account = 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w';
    const page = await node.transactions(account, { from: 32_570, to: 100_974_014, marker: undefined });
    expect(page.transactions.map(({ type, ledger }) => [type, ledger])).toEqual([
      ['TrustSet', 98_918_111],
      ['TrustSet', 98_918_099],
    ]);
    expect(page.marker).toEqual({ ledger: 98_918_099, seq: 20 });
    expect(page.transactions.flatMap((each) => arrivalsIn(each, new Set([account])))).toEqual([]);
    answer = recorded.serverState;
    const state = await node.state();
    expect(state).toMatchObject({
      ledger: 65_887_184,
      networkId: 0,
      reserve: { base: 20_000_000n, each: 5_000_000n },
    });
    expect(hasLedgers(state.complete, 65_844_785, 65_887_184)).toBe(true);
    expect(hasLedgers(state.complete, 65_844_784, 65_887_184)).toBe(false);
    answer = recorded.fee;
    expect(await node.fee()).toBe(2_653_937n);
    answer = recorded.ledger;
    expect(await node.hashAt(100_972_465)).toBe(
      '9DAAAE85FC0D64E95506608FDB48E8B77706EF64FF144F18EEBC2FC4366D9B20',
    );
    await expect(node.hashAt(100_972_466)).rejects.toThrow('no validated ledger');
  });

  it.each<[string, (entry: Entry) => void, readonly string[]]>([
    [
      'does not state what was delivered',
      (entry) => delete entry.meta.delivered_amount,
      ['0.000087 -: the node does not say what was delivered, tag 5000157'],
    ],
    [
      'states that it is unavailable',
      (entry) => (entry.meta.delivered_amount = 'unavailable'),
      ['0.000087 -: the node does not say what was delivered, tag 5000157'],
    ],
    [
      'states that more was delivered than the balance shows',
      (entry) => (entry.meta.delivered_amount = '87000000'),
      ['0.000087 -: the node says that 87 XRP were delivered, tag 5000157'],
    ],
    [
      'states that another currency was delivered',
      (entry) =>
        (entry.meta.delivered_amount = {
          currency: 'USD',
          issuer: 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B',
          value: '87',
        }),
      ['0.000087 -: the node does not say what was delivered, tag 5000157'],
    ],
    [
      'names another receiver',
      (entry) => (entry.tx_json.Destination = 'rwtk8uetu7BWwhXqbpqxmCyAFhsDiYbFS6'),
      ['0.000087 -: Payment, tag 5000157'],
    ],
    [
      'is of another type',
      (entry) => (entry.tx_json['TransactionType'] = 'EscrowFinish'),
      ['0.000087 -: EscrowFinish, tag 5000157'],
    ],
    [
      'changes the balance of another account',
      (entry) => {
        entry.meta.AffectedNodes[1]!.ModifiedNode.FinalFields!['Account'] =
          'rwtk8uetu7BWwhXqbpqxmCyAFhsDiYbFS6';
      },
      [],
    ],
    [
      'changes a balance in an issued currency',
      (entry) => (entry.meta.AffectedNodes[1]!.ModifiedNode.LedgerEntryType = 'RippleState'),
      [],
    ],
    [
      'has no balance before it',
      (entry) => {
        delete entry.meta.AffectedNodes[1]!.ModifiedNode.PreviousFields;
      },
      [],
    ],
    ['failed', (entry) => (entry.meta.TransactionResult = 'tecPATH_PARTIAL'), []],
  ])('XRP-034 a recorded payment that %s is credited to nobody', async (_, plant, expected) => {
    const entry = entryOf('tagged');
    const { Destination: account } = entry.tx_json;
    plant(entry);
    const read = await arrivals(entry, account);
    expect(read).toEqual(expected);
  });

  it.each<[string, (entry: Entry) => void, RegExp]>([
    ['is not validated', (entry) => (entry.validated = false), /not validated/],
    ['does not state that it is validated', (entry) => delete entry.validated, /not validated/],
    ['has no valid id', (entry) => (entry.hash = 'AB'), /Invalid/],
    ['has an amount as a number', (entry) => (entry.meta.delivered_amount = 87), /Invalid/],
    ['has a tag that is no number', (entry) => (entry.tx_json['DestinationTag'] = '5000157'), /Invalid/],
  ])('XRP-034 a recorded payment that %s is not read', async (_, plant, error) => {
    const entry = entryOf('tagged');
    plant(entry);
    await expect(arrivals(entry)).rejects.toThrow(error);
  });

  it('XRP-034 a recorded payment outside the range that was asked for is not read, nor a page that is not validated or incomplete', async () => {
    const entry = entryOf('tagged');
    const { Destination: account } = entry.tx_json;
    const ledger = entry.ledger_index;
    await expect(readEntry(entry, account, { validated: false })).rejects.toThrow('the node read');
    await expect(readEntry(entry, account, { ledger_index_min: ledger + 1 })).rejects.toThrow(
      'the node read',
    );
    const other = { ...entry, hash: entry.hash, ledger_index: ledger + 1 };
    await expect(readEntry(entry, account, { transactions: [other] })).rejects.toThrow('is in the ledger');
    // A transaction with another id than the requested one is not accepted as the answer.
    answer = entry;
    expect(await node.transaction(entry.hash!)).toMatchObject({ tag: 5_000_157, delivered: 87n });
    expect(await node.transaction(MADE_HASH)).toBeUndefined();
  });
});
