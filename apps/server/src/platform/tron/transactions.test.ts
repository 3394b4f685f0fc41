import { SigningKey, computeAddress } from 'ethers';
import { expect, it } from 'vitest';
import {
  readTronTransfer,
  referenceOf,
  signTronTransfer,
  tronAddressOf,
  type TronTransfer,
} from './transactions.ts';

const KEY = `0x${'1'.padStart(64, '0')}`;
const OWNER = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
const RECIPIENT = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const TOKEN: TronTransfer = {
  owner: OWNER,
  contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  address: RECIPIENT,
  units: 1_234_567n,
  feeLimit: 30_000_000n,
  refBytes: 'a1b2',
  refHash: '0102030405060708',
  expiration: 1_800_000_300_000,
  timestamp: 1_800_000_000_001,
};
const COIN: TronTransfer = { ...TOKEN, contract: undefined, units: 15_000_000n, feeLimit: 0n };
/** Unsigned transactions and their ids, as tronweb 6.5.1 encodes the fields of the test's transfers. */
const PUBLISHED = {
  token: {
    raw: '0a02a1b22208010203040506070840e0c783c3b1345aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a15417e5f4552091a69125d5dfcb7b8c2659029395bdf121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb0000000000000000000000005cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb000000000000000000000000000000000000000000000000000000000012d6877081a0f1c2b13490018087a70e',
    txid: '01edc26c20cf0164cf4c073968c5f9650270b6bb4bee7540dd9cea44dafd7c87',
    signature:
      '3bd7522d46f1218d6176debe099b3b2a5bc79d16f387ecd3ba7d6d94822f32404ca6a45cf3396cdda3d1c4ab004781f81d1eca9891956c3363e27fcc826f7eba1b',
  },
  coin: {
    raw: '0a02a1b22208010203040506070840e0c783c3b1345a68080112640a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412330a15417e5f4552091a69125d5dfcb7b8c2659029395bdf1215415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb18c0c393077081a0f1c2b134',
    txid: '72401ec9e43cce2d6adeacd80d54eb3fc9ef9de44ec19fdf5584e3d89f57a2e6',
  },
};

it('TRON-001 transfers of a token and of TRX are encoded, named and signed as by the published library, and read again', async () => {
  expect(tronAddressOf(computeAddress(new SigningKey(KEY).publicKey))).toBe(OWNER);
  for (const [transfer, published] of [
    [TOKEN, PUBLISHED.token],
    [COIN, PUBLISHED.coin],
  ] as const) {
    const signed = await signTronTransfer(transfer, KEY);
    expect(signed).toContain(published.raw);
    const { txid, bytes, ...read } = await readTronTransfer(signed);
    expect([txid, bytes, read]).toEqual([published.txid, signed.length / 2, transfer]);
  }
  expect(await signTronTransfer(TOKEN, KEY)).toMatch(new RegExp(`${PUBLISHED.token.signature}$`));
});

it('TRON-001 a transaction that was changed, has further fields, calls another function, or is incomplete is refused', async () => {
  const signed = await signTronTransfer(TOKEN, KEY);
  const refused = (hex: string, reason: string) => expect(readTronTransfer(hex)).rejects.toThrow(reason);
  await refused(signed.replace('12d687', '12d688'), 'signature that is not that of');
  await refused(signed.replace('a9059cbb', '095ea7b3'), 'another function');
  // The next three transactions are refused, because they have an additional field at the end, a repeated field, and a
  // field of another type.
  await refused(`${signed}1801`, 'further fields');
  await refused(`${signed}1241${'00'.repeat(65)}`, 'another form');
  await refused(`${signed}1d00000000`, 'another form');
  await refused(signed.slice(0, -2), 'incomplete');
  await refused('', 'another form');
  await expect(signTronTransfer({ ...TOKEN, address: OWNER.replace('T', 'U') }, KEY)).rejects.toThrow(
    'no address of TRON',
  );
});

it('TRON-001 a transaction names the last two bytes of the number of a block, and the middle of its id', () => {
  const hash = '0000000004d5a1b2aabbccddeeff00112233445566778899aabbccddeeff0011';
  expect(referenceOf({ number: 0x4d5_a1b2, hash })).toEqual({
    refBytes: 'a1b2',
    refHash: 'aabbccddeeff0011',
  });
  expect(referenceOf({ number: 0x1_0003, hash }).refBytes).toBe('0003');
});
