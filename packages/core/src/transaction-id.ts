import type { Network } from './network.ts';

const HEX = /^(?:0x)?([0-9a-f]{64})$/i;

/**
 * The canonical spelling of a transaction ID on its network, or undefined if the text is not one. Capitals
 * and the prefix `0x` vary by source, so that different spellings can name the same transaction.
 */
export function transactionId(
  { addressKind }: Pick<Network, 'addressKind'>,
  text: string,
): string | undefined {
  const digits = HEX.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return addressKind === 'evm' ? `0x${digits}` : digits;
}
