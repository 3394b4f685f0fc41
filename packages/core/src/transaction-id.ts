import type { Network } from './network-table.ts';

const HEX = /^(?:0x)?([0-9a-f]{64})$/i;

/**
 * Returns the canonical spelling of a transaction id on a network: 64 lower-case hex digits, after `0x` if
 * the network has EVM addresses. Returns undefined if the text is no transaction id. Sources write capitals
 * and the prefix `0x` differently, so that different texts can name the same transaction.
 */
export function transactionId(
  { addressKind }: Pick<Network, 'addressKind'>,
  text: string,
): string | undefined {
  const digits = HEX.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return addressKind === 'evm' ? `0x${digits}` : digits;
}
