import { expect, it } from 'vitest';
import { testXrpAccount } from '../../../testing/test-xrp-signer.ts';
import { readXrpTransaction, signXrpTransaction, xrpTxid } from './transactions.ts';

/** A payment on the public network of the XRP Ledger, from ledger 95,831,133, with its published hash. */
const PUBLIC = {
  raw: '12000022800000002403EB9E4C2E000DD060201B05B6788261400000000481823B6840000000000000187321024979DFC8EA12B95CB832E57D9E11AFABB2F4A8F99736F4AA1050F7C3F4297B7774473045022100E1CBFD6E29E3AD311E07DECB8336C26C8C38120C7F0C6D5F2043B60611D2F9AC02202CF7AE83F2F8B6E8FAA810051E60519456415D447DD537024FD0ABAB721808338114A2FEF188D8A2C0A3E363F479A559E67C847DE39683148643C4C7F4AB4C98357B38DF4C562045607AB63F',
  txid: '6B34C05B9914FF72BA7FA3044B8D48586532C44FAD3EE8B7A463B9CCA5ABA4EF',
};
const DESTINATION = 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq';

it('XRP-001 a transaction of the public network is read with its published fields, hash and signature', async () => {
  expect(await readXrpTransaction(PUBLIC.raw)).toEqual({
    account: 'rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA',
    sequence: 65_773_132,
    lastLedger: 95_844_482,
    fee: 24n,
    networkId: 0,
    payment: { address: DESTINATION, tag: 905_312, drops: 75_596_347n },
    txid: PUBLIC.txid,
  });
  expect(xrpTxid(PUBLIC.raw)).toBe(PUBLIC.txid);
});

it('XRP-001 a transaction with another amount or with further fields is refused', async () => {
  const forged = PUBLIC.raw.replace('481823B', '481823C');
  await expect(readXrpTransaction(forged)).rejects.toThrow('signature');
  // `partial` is `PUBLIC` with the flag for a partial payment added. `XrpTransaction` has no flags, so such a
  // transaction is refused.
  const partial = PUBLIC.raw.replace('2280000000', '2280020000');
  await expect(readXrpTransaction(partial)).rejects.toThrow('further fields');
});

it('XRP-001 signed transactions are decoded to their fields: a payment without a tag, one on another network, and one that does nothing', async () => {
  const { key, address } = await testXrpAccount();
  const terms = { account: address, sequence: 7, lastLedger: 90, fee: 12n };
  const transactions = [
    { ...terms, networkId: 0, payment: { address: DESTINATION, tag: undefined, drops: 1n } },
    { ...terms, networkId: 21_338, payment: { address: DESTINATION, tag: 0, drops: 10n ** 16n } },
    { ...terms, networkId: 0, payment: undefined },
  ];
  for (const transaction of transactions) {
    const raw = await signXrpTransaction(transaction, key);
    expect(await readXrpTransaction(raw)).toEqual({ ...transaction, txid: xrpTxid(raw) });
  }
});
