import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { expect, it } from 'vitest';
import { amountAfterFee, returnDestination, returnReference, returnStage } from './return-domain.ts';
import { returnWarnings } from './return-warnings.ts';

const LTC = findCoinNetwork('LTC', 'LTC')!;
const ETH = findCoinNetwork('ETH', 'ERC20')!;
const XRP = findCoinNetwork('XRP', 'XRP')!;
const SENDER = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER = '0x1111111111111111111111111111111111111111';
const NOTHING_KNOWN = { hasCode: undefined, paidAddresses: 0 };

const arrived = (asset: string, amount: string) => ({ asset, amount: Decimal.parse(amount) });
const keyOf = (run: () => unknown) => {
  try {
    run();
  } catch (cause) {
    return (cause as { refusal: { key: string; parameters: object } }).refusal;
  }
  return undefined;
};

it('TRE-135 the name of a return follows from the payment and the attempt, so that a restored database gives it again', () => {
  const payment = { network: 'LTC', asset: 'LTC', txid: 'ab'.repeat(32), output: 1 };
  const first = returnReference(payment, 1);
  expect(first).toMatch(/^[0-9a-f]{32}-1$/);
  expect(returnReference({ ...payment }, 1)).toBe(first);
  const others = [
    returnReference(payment, 2),
    returnReference({ ...payment, output: 2 }, 1),
    returnReference({ ...payment, asset: 'L' }, 1),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
});

it('TRE-132 the sender gets the amount less the fee; a lower fee than that of a withdrawal, and what the network does not pay, are refused with the figures', () => {
  const { fee } = LTC;
  expect(amountAfterFee(arrived('LTC', '1'), LTC, fee)).toEqual(Decimal.parse('1').minus(fee));
  const least = fee.plus(Decimal.parse('0.0000546'));
  expect(amountAfterFee(arrived('LTC', least.toString()), LTC, fee).toString()).toBe('0.0000546');
  const tooSmall = least.minus(Decimal.parse('0.00000001')).toString();
  expect(keyOf(() => amountAfterFee(arrived('LTC', tooSmall), LTC, fee))).toMatchObject({
    key: 'l.return_too_small',
    parameters: { limit: least.toString(), value: tooSmall, fee: fee.toString(), unit: 'LTC' },
  });
  const low = fee.minus(Decimal.parse('0.00000001'));
  expect(keyOf(() => amountAfterFee(arrived('LTC', '1'), LTC, low))).toMatchObject({
    key: 'l.field_min',
    parameters: { limit: fee.toString(), value: low.toString() },
  });
  const fine = Decimal.parse('0.100000001');
  expect(keyOf(() => amountAfterFee(arrived('LTC', '1'), LTC, fine))).toMatchObject({
    key: 'l.field_invalid',
  });
  expect(keyOf(() => amountAfterFee(arrived('ETH', ETH.fee.toString()), ETH, ETH.fee))).toMatchObject({
    key: 'l.return_too_small',
  });
});

it('TRE-130 TRE-131 the receiver is the sender whom the network names, or what was typed, which is never said to be from the network', () => {
  const none = { address: undefined, memo: undefined };
  expect(returnDestination({ sender: SENDER }, ETH, none)).toEqual({
    address: SENDER,
    memo: undefined,
    isFromChain: true,
  });
  const typed = { address: SENDER.toLowerCase(), memo: undefined };
  expect(returnDestination({ sender: SENDER }, ETH, typed)).toMatchObject({
    address: SENDER,
    isFromChain: true,
  });
  expect(returnDestination({ sender: SENDER }, ETH, { address: OTHER, memo: undefined })).toMatchObject({
    isFromChain: false,
  });
  expect(returnDestination({ sender: undefined }, ETH, typed)).toMatchObject({ isFromChain: false });
  expect(keyOf(() => returnDestination({ sender: undefined }, LTC, none))).toMatchObject({
    key: 'l.return_no_sender',
    parameters: { field: 'address', limit: 'Litecoin' },
  });
});

it('TRE-131 operators are warned of a typed address, a contract, a wallet that pays many addresses, and a missing memo', () => {
  const warned = (
    sender: string | undefined,
    memo: string | undefined,
    network: typeof ETH.network,
    facts: Parameters<typeof returnWarnings>[2]['facts'],
  ) => {
    const destination = { address: SENDER, memo, isFromChain: sender === SENDER };
    return returnWarnings({ sender }, destination, { network, facts }).map(
      ({ field, text }) => `${field}: ${text}`,
    );
  };
  expect(warned(SENDER, undefined, ETH.network, { hasCode: false, paidAddresses: 2 })).toEqual([]);
  expect(warned(SENDER, '7', XRP.network, NOTHING_KNOWN)).toEqual([]);
  expect(warned(undefined, undefined, ETH.network, NOTHING_KNOWN)).toEqual([
    expect.stringMatching(/^address: Ethereum .* names no single sender/),
  ]);
  expect(warned(OTHER, undefined, ETH.network, NOTHING_KNOWN)).toEqual([
    `address: ${SENDER} was typed: the network names ${OTHER} as the sender.`,
  ]);
  expect(warned(SENDER, undefined, XRP.network, { hasCode: true, paidAddresses: 10 })).toEqual([
    expect.stringContaining('is a contract'),
    expect.stringContaining('at least 10 addresses'),
    expect.stringMatching(/^memo: /),
  ]);
  expect(warned(SENDER, undefined, ETH.network, { hasCode: false, paidAddresses: 3 })).toEqual([
    expect.stringContaining('has paid 3 addresses'),
  ]);
});

it('TRE-139 the stage of a return is that of its payment until it ends', () => {
  const open = { state: 'approved', txid: undefined, block: undefined } as const;
  expect(returnStage(open, undefined)).toBe('approved');
  expect(returnStage(open, 'signing')).toBe('signing');
  expect(returnStage({ ...open, txid: 'x' }, undefined)).toBe('sent');
  expect(returnStage({ ...open, txid: 'x', block: 9 }, 'sent')).toBe('confirming');
  expect(returnStage({ ...open, state: 'cancelling' }, 'sent')).toBe('cancelling');
});
