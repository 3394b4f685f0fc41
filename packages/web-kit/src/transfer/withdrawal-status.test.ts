import { expect, it } from 'vitest';
import { isReturned, isUnpaid, promiseState, stagesOf } from './withdrawal-status.tsx';

it.each([
  ['is pending a check', { status: 0 }, 'done now open open open'],
  ['is approved but not sent', { status: 3 }, 'done done done now open'],
  ['is refused by the network', { status: 3, stage: 'refused' }, 'done done done now open'],
  ['is approved while sending is paused', { status: 3, stage: 'paused' }, 'done done done now open'],
  ['is pending while sending is paused', { status: 0, stage: 'paused' }, 'done now open open open'],
  ['is being signed', { status: 3, stage: 'signing' }, 'done done done now open'],
  ['is signed but in no node', { status: 3, txid: 'ab', stage: 'signed' }, 'done done done now open'],
  ['is on its way back', { status: 3, txid: 'ab', stage: 'returning' }, 'done done done now open'],
  ['was returned', { status: 6, txid: 'ab' }, 'done done done ended open'],
  ['is paid by hand', { status: 3, stage: 'byHand' }, 'done done done now open'],
  ['is on the network', { status: 3, txid: 'ab' }, 'done done done done now'],
  ['is complete', { status: 1, txid: 'ab' }, 'done done done done done'],
  ['is rejected', { status: 2 }, 'done ended open open open'],
  ['was refused by the network', { status: 4, txid: 'ab' }, 'done done done ended open'],
  ['is canceled', { status: 5 }, 'done ended open open open'],
] as const)('WDR-031 WDR-1160 WDR-1174 shows the stages of a withdrawal that %s', (_, row, states) => {
  expect(stagesOf(row).join(' ')).toBe(states);
});

it.each([
  ['running', 'overdue', { status: 0 }],
  ['running', 'overdue', { status: 3, stage: 'byHand' }],
  ['none', 'overdue', { status: 3, stage: 'refused' }],
  ['none', 'overdue', { status: 3, stage: 'paused' }],
  ['none', 'overdue', { status: 0, stage: 'paused' }],
  ['none', 'none', { status: 3, stage: 'returning' }],
  ['none', 'none', { status: 1 }],
] as const)('WDR-1201 the promise is %s before its time and %s after it for %j', (before, after, row) => {
  expect(promiseState({ ...row, promiseTime: 2 }, 1)).toBe(before);
  expect(promiseState({ ...row, promiseTime: 2 }, 2)).toBe(after);
});

it.each([
  ['arrives', { status: 0 }, false, false],
  ['arrives', { status: 1 }, false, false],
  ['arrives', { status: 3, stage: 'paused' }, false, false],
  ['does not arrive', { status: 3, stage: 'returning' }, true, false],
  ['does not arrive', { status: 4 }, true, false],
  ['does not arrive, and is back', { status: 2 }, true, true],
  ['does not arrive, and is back', { status: 5 }, true, true],
  ['does not arrive, and is back', { status: 6 }, true, true],
] as const)('WDR-1205 an amount %s for %j', (_, row, unpaid, returned) => {
  expect([isUnpaid(row), isReturned(row.status)]).toEqual([unpaid, returned]);
});
