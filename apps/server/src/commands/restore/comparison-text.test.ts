import { expect, it } from 'vitest';
import { comparisonLines } from './comparison-text.ts';

const PAYMENT = {
  origin: 'withdrawal w',
  asset: 'ETH',
  amount: '0.399',
  address: '0xreceiver',
  chain: 'eip155:1',
  txid: '0xtx',
  isVoid: false,
  lastValid: undefined,
};

it('KEY-010 KEY-012 the comparison after a restore says which unknown payments are debited, and which their withdrawal follows', () => {
  const lines = comparisonLines({
    paidKnown: [{ ...PAYMENT, id: 'known', status: 1 }],
    paidUnknown: [
      { ...PAYMENT, id: 'pending', status: 0 },
      { ...PAYMENT, id: 'missing', status: undefined },
    ],
    notPaid: [
      { ...PAYMENT, id: 'signed', status: 3 },
      { id: 'open', isSigned: false },
    ],
    notCompared: [{ chain: 'BTC', payments: 3, reason: 'the node does not answer' }],
  });
  expect(lines).toEqual([
    'Paid and known: 1',
    '  known 0.399 ETH 0xtx',
    'Paid and unknown, to be settled in the console: 2',
    '  pending 0.399 ETH to 0xreceiver 0xtx (its withdrawal is pending and follows it: debit nothing)',
    '  missing 0.399 ETH to 0xreceiver 0xtx (debit it from its owner)',
    'Not paid: 2',
    '  signed signed, never reject it: 0xtx',
    '  open not signed',
    'Not compared: 3 on BTC: the node does not answer',
  ]);
});
