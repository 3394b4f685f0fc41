import { isChainAddress, taggedAccount, type AddressKind } from './chain-address.ts';
import { KNOWN_NETWORKS } from './network-table.ts';

const FAMILIES: ReadonlySet<AddressKind> = new Set(KNOWN_NETWORKS.map(({ addressKind }) => addressKind));
/**
 * Matches EOS account names of the full 12 characters. EOS account names have no checksum, and shorter ones are usually
 * words, so those are not recognized.
 */
const EOS_NAME = /^[a-z1-5.]{12}$/;

/**
 * If the text is an address of other blockchains than those of `kind`, returns the name of these blockchains. Returns
 * undefined for a valid address of `kind` and for a text that is no address.
 */
export function otherChainsOf(kind: AddressKind, text: string): string | undefined {
  return isAddressOf(kind, text) ? undefined : chainsOfAddress(text);
}

/**
 * Returns the name of the blockchains to which an address belongs, by its format and checksum; undefined if it is no
 * address of any. An address has the format of only one of them.
 */
export function chainsOfAddress(text: string): string | undefined {
  const family = [...FAMILIES].find((kind) => isAddressOf(kind, text));
  return family === undefined ? undefined : familyName(family);
}

/**
 * Returns the display names of the blockchains that use an address format, joined by ` / `. Omits networks that only
 * some installations offer.
 */
function familyName(kind: AddressKind): string {
  return KNOWN_NETWORKS.filter(({ addressKind, isOptional }) => addressKind === kind && !isOptional)
    .map(({ chain }) => chain)
    .join(' / ');
}

function isAddressOf(kind: AddressKind, text: string): boolean {
  if (kind === 'eos') return EOS_NAME.test(text) && isChainAddress(kind, text);
  return isChainAddress(kind, text) || (kind === 'ripple' && taggedAccount(text) !== undefined);
}
