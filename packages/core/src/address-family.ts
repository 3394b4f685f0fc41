import { isChainAddress, taggedAccount, type AddressKind } from './chain-address.ts';

/** The chains of each format of addresses, as users know them. */
const FAMILY_NAMES: Readonly<Record<AddressKind, string>> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  evm: 'Ethereum / BNB Smart Chain',
  tron: 'Tron (TRC20)',
  ripple: 'XRP Ledger',
  cardano: 'Cardano',
  eos: 'EOS',
};
const FAMILIES = Object.keys(FAMILY_NAMES) as AddressKind[];
/** Names of accounts of EOS have no checksum; shorter ones are rather words than addresses. */
const EOS_NAME = /^[a-z1-5.]{12}$/;

/** The name of other chains whose address this is; undefined if it is an address of this kind, or of none. */
export function otherChainsOf(kind: AddressKind, text: string): string | undefined {
  return isAddressOf(kind, text) ? undefined : chainsOfAddress(text);
}

/**
 * The name of the chains to which an address belongs, by its format and checksum; undefined if it is an address of none. No
 * address belongs to two of them.
 */
export function chainsOfAddress(text: string): string | undefined {
  const family = FAMILIES.find((kind) => isAddressOf(kind, text));
  return family === undefined ? undefined : FAMILY_NAMES[family];
}

function isAddressOf(kind: AddressKind, text: string): boolean {
  if (kind === 'eos') return EOS_NAME.test(text) && isChainAddress(kind, text);
  return isChainAddress(kind, text) || (kind === 'ripple' && taggedAccount(text) !== undefined);
}
