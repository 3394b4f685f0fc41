import { expect, it } from 'vitest';
import { payingNetworks } from './paying-networks.ts';

const NOTHING = { evm: [], utxo: [], xrp: undefined, tron: undefined };
const PAYS = { network: 'N', sending: { place: '/run/signer' } };
const RECEIVES = { network: 'M', sending: undefined };

it('WDR-1206 a network of every kind pays once it has a signer, so that a restored database is compared with its chain', () => {
  expect(payingNetworks(NOTHING)).toEqual([]);
  expect(
    payingNetworks({
      evm: [RECEIVES],
      utxo: [RECEIVES],
      xrp: { sending: undefined },
      tron: { sending: undefined },
    }),
  ).toEqual([]);
  expect(payingNetworks({ ...NOTHING, evm: [RECEIVES, PAYS] })).toEqual([{ kind: 'evm', network: 'N' }]);
  expect(payingNetworks({ ...NOTHING, utxo: [PAYS, RECEIVES] })).toEqual([{ kind: 'utxo', network: 'N' }]);
  expect(payingNetworks({ ...NOTHING, xrp: PAYS })).toEqual([{ kind: 'xrp', network: 'XRP' }]);
  expect(payingNetworks({ ...NOTHING, tron: PAYS })).toEqual([{ kind: 'tron', network: 'TRON' }]);
});
