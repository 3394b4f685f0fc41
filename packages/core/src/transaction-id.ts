import type { Network } from './network.ts';

const HEX = /^(?:0x)?([0-9a-f]{64})$/i;

/**
 * The name of a transaction in the one spelling that its network's own programs use, or undefined where it is none. People
 * copy it with capitals, and with or without `0x`, by where they look: two spellings are still one transaction.
 */
export function transactionId(
  { addressKind }: Pick<Network, 'addressKind'>,
  text: string,
): string | undefined {
  const digits = HEX.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return addressKind === 'evm' ? `0x${digits}` : digits;
}
