import { describe, expect, it } from 'vitest';
import {
  canonicalAddress,
  chainAddress,
  isBurnAddress,
  isChainAddress,
  taggedAccount,
  type AddressKind,
} from './chain-address.ts';
import { keccak256, sha256 } from './digests.ts';

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const text = (input: string) => new TextEncoder().encode(input);
const GOOD: readonly (readonly [AddressKind, string])[] = [
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['evm', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['evm', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['ripple', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ['cardano', 'addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w'],
];
const KINDS = [...new Set(GOOD.map(([kind]) => kind)), 'litecoin', 'dogecoin'] as const;

describe('blockchain addresses', () => {
  it('ADDR-001 digests agree with the published vectors', () => {
    expect(hex(sha256(text('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hex(keccak256(text('')))).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
    expect(hex(keccak256(text('a'.repeat(300))))).toHaveLength(64);
  });

  it.each(GOOD)('ADDR-001 %s accepts %s and rejects it with one wrong character', (kind, address) => {
    expect(isChainAddress(kind, address)).toBe(true);
    const letters = kind === 'evm' ? /[a-f]/i : /[2-9]/;
    const index = Array.from(address).findIndex((letter, index) => index > 8 && letters.test(letter));
    const wrongCharacter = kind === 'evm' ? swapped(address[index]!) : address[index] === '2' ? '3' : '2';
    expect(isChainAddress(kind, address.slice(0, index) + wrongCharacter + address.slice(index + 1))).toBe(
      false,
    );
    for (const otherKind of KINDS.filter((knownKind) => knownKind !== kind))
      expect(isChainAddress(otherKind, address)).toBe(false);
  });

  it.each(KINDS)('ADDR-001 a generated %s address is valid', (kind) => {
    const address = chainAddress(kind, sha256(text(kind)).slice(0, 20));
    expect(isChainAddress(kind, address)).toBe(true);
    expect(isChainAddress(kind, address.slice(0, -1))).toBe(false);
  });

  it('ADDR-811 an address has one canonical spelling, regardless of case', () => {
    const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(canonicalAddress('bitcoin', segwit.toUpperCase())).toBe(segwit);
    const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(canonicalAddress('evm', evm.toLowerCase())).toBe(evm);
    for (const [kind, address] of GOOD) expect(canonicalAddress(kind, address)).toBe(address);
    expect(canonicalAddress('bitcoin', 'BC1QNOTHING')).toBe('BC1QNOTHING');
  });

  const BURNED: readonly (readonly [AddressKind, string])[] = [
    ['evm', '0x0000000000000000000000000000000000000000'],
    ['evm', '0x0000000000000000000000000000000000000001'],
    ['evm', '0x000000000000000000000000000000000000dead'],
    ['bitcoin', '1111111111111111111114oLvT2'],
    ['bitcoin', '1BitcoinEaterAddressDontSendf59kuE'],
    ['bitcoin', chainAddress('bitcoin', new Uint8Array(20)).toUpperCase()],
    ['litecoin', chainAddress('litecoin', new Uint8Array(20))],
    ['dogecoin', 'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
    ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['ripple', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
    ['ripple', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
    ['eos', 'eosio.null'],
  ];
  it.each(BURNED)('ADDR-812 the %s address %s is a burn address', (kind, address) => {
    expect(isChainAddress(kind, address)).toBe(true);
    expect(isBurnAddress(kind, address)).toBe(true);
  });

  it('ADDR-812 an ordinary address is not a burn address', () => {
    for (const [kind, address] of GOOD) expect(isBurnAddress(kind, address)).toBe(false);
  });

  it('ADDR-813 an X-address decodes to account and tag, and a mistyped one is rejected', () => {
    // Test vectors from the specification XLS-5.
    expect(taggedAccount('XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb')).toEqual({
      address: 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf',
      tag: undefined,
    });
    expect(taggedAccount('X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS')).toEqual({
      address: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
      tag: '14',
    });
    expect(taggedAccount('X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gs')).toBeUndefined();
    // An X-address of the XRP Ledger's test network, which the exchange does not accept.
    expect(taggedAccount('TVE26TYGhfLC7tQDno7G8dGtxSkYQnSy8RHqGHoGJ59spi2')).toBeUndefined();
    expect(taggedAccount('rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf')).toBeUndefined();
  });

  it('ADDR-001 an account name of EOS is 1 to 12 letters and digits from 1 to 5', () => {
    expect(isChainAddress('eos', 'binancecleos')).toBe(true);
    expect(isChainAddress('eos', 'binancecleos6')).toBe(false);
    expect(isChainAddress('eos', 'Binance')).toBe(false);
  });
});

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}
