import { describe, expect, it } from 'vitest';
import { chainsOfAddress } from './address-family.ts';
import { addressProblem, EVERY_COIN_NETWORK, findCoinNetwork } from './network.ts';

/** Valid addresses, each with the name of the blockchain family to which it belongs. */
const ADDRESSES: readonly (readonly [string, string])[] = [
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['Bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['Litecoin', 'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn'],
  ['Litecoin', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'],
  ['Dogecoin', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  ['Ethereum / BNB Smart Chain', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ['Tron (TRC20)', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['XRP Ledger', 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq'],
  ['XRP Ledger', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi'],
  ['EOS', 'binancecleos'],
];

describe('families of addresses', () => {
  it('XRP-030 an address is recognised by its format and checksum, and other text is not recognised', () => {
    for (const [chains, address] of ADDRESSES) expect(chainsOfAddress(address), address).toBe(chains);
    for (const text of ['', 'hello', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', '0x12', 'bc1qar0srrr7xfkvy5l643'])
      expect(chainsOfAddress(text), text).toBeUndefined();
  });

  it('XRP-030 an address of other chains is refused with their name on every network, and one of the own chains is not', () => {
    for (const coin of EVERY_COIN_NETWORK)
      for (const [chains, address] of ADDRESSES) {
        const problem = addressProblem(coin, { address, withoutMemo: coin.network.memo });
        const isEvm = coin.network.addressKind === 'evm' && chains.startsWith('Ethereum');
        const isOwn = isEvm || chains.startsWith(coin.network.name.split(' ')[0]!);
        const named = problem?.key === 'l.address_other_network' ? problem.parameters['unit'] : undefined;
        expect(named, `${address} on ${coin.network.code}`).toBe(isOwn ? undefined : chains);
      }
    const bitcoin = findCoinNetwork('BTC', 'BTC')!;
    expect(addressProblem(bitcoin, { address: 'nothing' })?.key).toBe('l.address_invalid');
  });
});
