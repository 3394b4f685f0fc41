import { isChainAddress, taggedAccount, type AddressKind } from './chain-address.ts';

/** Display names of the blockchains that use each address format. */
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
/**
 * EOS account names have no checksum; only names of the full 12 characters are recognised, because shorter
 * ones are usually words.
 */
const EOS_NAME = /^[a-z1-5.]{12}$/;

/**
 * The name of the blockchains to which an address belongs, if they are not those of `kind`; undefined for a
 * valid address of `kind` and for text that is no address.
 */
export function otherChainsOf(kind: AddressKind, text: string): string | undefined {
  return isAddressOf(kind, text) ? undefined : chainsOfAddress(text);
}

/**
 * The name of the blockchains to which an address belongs, by its format and checksum; undefined if it
 * belongs to none. No address belongs to two of them.
 */
export function chainsOfAddress(text: string): string | undefined {
  const family = FAMILIES.find((kind) => isAddressOf(kind, text));
  return family === undefined ? undefined : FAMILY_NAMES[family];
}

function isAddressOf(kind: AddressKind, text: string): boolean {
  if (kind === 'eos') return EOS_NAME.test(text) && isChainAddress(kind, text);
  return isChainAddress(kind, text) || (kind === 'ripple' && taggedAccount(text) !== undefined);
}
