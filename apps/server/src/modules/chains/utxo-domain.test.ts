import { Decimal } from '@exchange/core/decimal.ts';
import { HDNodeWallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { accountAddresses, addressCodec, BRANCH } from '../../platform/utxo/scripts.ts';
import {
  arrivalsIn,
  beyondPrevious,
  chooseBatch,
  confirmationsFor,
  isBalanceBehind,
  mostConfirmations,
  type UtxoBlock,
  type WatchedPlace,
} from './utxo-domain.ts';
import { parseExactly } from './utxo-node.ts';

const PHRASE = `${'abandon '.repeat(11)}about`;

describe('chains of the Bitcoin family', () => {
  // The first two deposit addresses and the exchange's first own address for the mnemonic in the published test vectors
  // of BIP 84 and BIP 44.
  it.each([
    [
      'BTC',
      [
        'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
        'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el',
      ],
    ],
    [
      'LTC',
      [
        'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
        'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn',
        'ltc1qyeljcy9v88jg8sqvnqh0m5q390xruc5r98q9yy',
      ],
    ],
    [
      'DOGE',
      [
        'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC',
        'DAcDAtJRztxBHyA6D6h8du1HguyTR43Mas',
        'D7ReBLrRv12mi9pYh5HtfFLTt1PSoeAa7e',
      ],
    ],
  ])(
    'UTXO-001 addresses of %s are those of the published vectors, and return from their scripts',
    async (code, expected) => {
      const network = UTXO_NETWORKS.get(code)!;
      const { extendedKey } = HDNodeWallet.fromPhrase(PHRASE, '', network.path).neuter();
      const account = await accountAddresses(network, extendedKey);
      const places = [
        account.placeAt(BRANCH.deposits, 0),
        account.placeAt(BRANCH.deposits, 1),
        account.placeAt(BRANCH.own, 0),
      ];
      expect(places.map(({ address }) => address)).toEqual(expected);
      const codec = await addressCodec(network);
      for (const { address, script } of places)
        expect([codec.scriptOf(address), codec.addressOf(script)]).toEqual([script, address]);
      expect(codec.scriptOf('0x1111111111111111111111111111111111111111')).toBeUndefined();
      expect(codec.addressOf('6a24aa21a9ed')).toBeUndefined();
    },
  );

  it('UTXO-003 amounts of a node are read exactly, and texts stay as they are', () => {
    const json =
      '{"value": 92233720.36854775, "n": 1, "asm": "a \\"value\\": 1.5e3 b", "rate":1e-05,"low":-0.1}';
    expect(parseExactly(json)).toEqual({
      value: '92233720.36854775',
      n: 1,
      asm: 'a "value": 1.5e3 b',
      rate: '1e-05',
      low: '-0.1',
    });
  });

  it('UTXO-006 NET-028 confirmations follow the amount that a transaction pays to users in all, and that a block pays to one user; dust is marked, rewards wait', () => {
    const network = UTXO_NETWORKS.get('LTC')!;
    const steps = [
      { from: Decimal.zero, confirmations: 3 },
      { from: Decimal.parse('10'), confirmations: 6 },
      { from: Decimal.parse('100'), confirmations: 12 },
    ];
    expect(mostConfirmations(steps)).toBe(12);
    expect(
      ['0', '9.99999999', '10', '99.99999999', '100'].map((amount) =>
        confirmationsFor(steps, Decimal.parse(amount)),
      ),
    ).toEqual([3, 3, 6, 6, 12]);
    const user = (index: number) => ({ address: `user ${index}`, holder: 'user' as const, index });
    const watched = new Map<string, WatchedPlace>([
      ['01', user(1)],
      ['02', user(2)],
      ['03', { address: 'own', holder: 'own' as const, index: 0 }],
    ]);
    const outputs = (...amounts: readonly (readonly [string, bigint])[]) =>
      amounts.map(([script, units], vout) => ({ vout, units, script }));
    const block: UtxoBlock = {
      number: 100,
      hash: 'hash',
      parentHash: 'parent',
      transactions: [
        { txid: 'reward', source: 'coinbase', inputs: [], outputs: outputs(['01', 600_000_000n]) },
        {
          txid: 'split',
          source: 'outputs',
          inputs: [{ txid: 'earlier', vout: 0 }],
          outputs: outputs(
            ['01', 500_000_000n],
            ['ff', 9_000_000_000n],
            ['02', 500_000_000n],
            ['03', 9_000_000_000n],
          ),
        },
        {
          txid: 'dust',
          source: 'outputs',
          inputs: [],
          outputs: outputs(['02', 5_459n], ['01', 5_460n], ['01', 0n]),
        },
        { txid: 'pegged', source: 'extension', inputs: [], outputs: outputs(['02', 1_000_000n]) },
      ],
    };
    const arrivals = arrivalsIn(block, {
      network,
      watched,
      steps,
      senderOf: ({ txid }) => (txid === 'split' ? 'own' : undefined),
    });
    expect(
      arrivals.map(({ txid, vout, confirmations, spendableFrom, isDust, sender = '-' }) =>
        [txid, vout, confirmations, spendableFrom, isDust, sender].join(' '),
      ),
    ).toEqual([
      'reward 0 100 200 false -',
      'split 0 6 100 false own',
      'split 2 6 100 false own',
      'split 3 6 100 false own',
      'dust 0 3 100 true -',
      // This output is small, but the block pays its user 11 coins in all, for which 6 confirmations are
      // needed.
      'dust 1 6 100 false -',
      'pegged 0 3 106 false -',
    ]);
  });

  it('UTXO-029 a batch spends the largest outputs, leaves out what they do not pay, and brings small ones together', () => {
    const coins = [50n, 30n, 8n, 4n].map((units) => ({ units: units * 1_000_000n }));
    const script = `0014${'11'.repeat(20)}`;
    const payments = (...amounts: readonly bigint[]) =>
      amounts.map((units, at) => ({ name: `p${at}`, units: units * 1_000_000n, script }));
    const choose = (amounts: readonly bigint[], extra: typeof coins = []) => {
      const choice = chooseBatch({
        coins,
        extra,
        payments: payments(...amounts),
        rate: 2_000n,
        change: script,
        kind: 'wpkh',
      });
      return (
        choice &&
        [
          choice.inputs.map(({ units }) => units / 1_000_000n).join('+'),
          choice.payments.map(({ name }) => name).join('+'),
          choice.fee,
        ].join(' ')
      );
    };
    // The transaction has 11 bytes, 69 more for an input and 31 more for each output; its fee is two units per byte.
    expect(choose([49n])).toBe('50 p0 282');
    expect(choose([49n, 20n])).toBe('50+30 p0+p1 480');
    // All coins together cannot pay the first and the second payment, but they can pay the first and the third.
    expect(choose([49n, 60n, 20n])).toBe('50+30 p0+p2 480');
    // If the coins equal the payment exactly, nothing remains to pay the fee, so no batch is possible.
    expect(choose([92n])).toBeUndefined();
    expect(choose([100n])).toBeUndefined();
    const dust = { units: 100n };
    expect(choose([49n], [coins[3]!, coins[0]!, dust])).toBe('50+4 p0 418');
  });
});

it.each([
  [['a', 'b', 'c'], []],
  // The total size of the previous transactions in a request is limited. One that made several of the outputs
  // counts only once.
  [['a', 'b', 'b', 'a'], []],
  // The third previous transaction does not fit into the limit; the smaller one after it fits.
  [['c', 'd', 'a', 'b'], ['a']],
  [
    ['d', 'b', 'a', 'c', 'c'],
    ['c', 'c'],
  ],
  [
    ['large', 'unknown', 'a'],
    ['large', 'unknown'],
  ],
])('UTXO-045 of the outputs of %j, those of %j do not fit into a request', (txids, beyond) => {
  const sizes = new Map([
    ['a', 30],
    ['b', 20],
    ['c', 50],
    ['d', 40],
    ['large', 61],
  ]);
  const inputs = txids.map((txid, vout) => ({ txid, vout }));
  const found = [...beyondPrevious(inputs, sizes, { each: 60, total: 110 })];
  expect(found.map(({ txid }) => txid)).toEqual(beyond);
});

it.each([
  [100, 100, false],
  [106, 100, false],
  [107, 100, true],
])(
  'UTXO-031 with the node at block %i and block %i read, the balance is behind: %s',
  (head, height, isBehind) => {
    expect(isBalanceBehind(head, height)).toBe(isBehind);
  },
);
