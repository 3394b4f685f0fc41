import { evmNetworkOf } from '@exchange/core/evm-network.ts';
import type { CoinNetwork } from '@exchange/core/network.ts';
import { TRON } from '@exchange/core/tron-network.ts';

/** A payment request, parsed from a text that the user has scanned or pasted. */
export interface PaymentText {
  readonly address: string;
  readonly memo: string | undefined;
  /**
   * Amount in units of the coin, a plain decimal such as `0.5`; undefined when the text contains no amount,
   * or one in another unit or notation.
   */
  readonly amount: string | undefined;
  /**
   * Codes of the networks on which the request can be paid. Empty if the text names a chain on which the exchange
   * offers no network; undefined if the text names no chain.
   */
  readonly networks: readonly string[] | undefined;
}

/**
 * URI schemes of payment links other than `ethereum:`, with the networks of each; contains only chains that
 * the exchange offers.
 */
const SCHEMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['bitcoin', ['BTC']],
  ['litecoin', ['LTC']],
  ['dogecoin', ['DOGE']],
  ['tron', [TRON]],
  ['ripple', ['XRP']],
  ['xrpl', ['XRP']],
  ['xrp', ['XRP']],
  ['eos', ['EOS']],
  ['cardano', ['ADA']],
  ['web+cardano', ['ADA']],
]);
/** Chain ID of an `ethereum:` link that names none (EIP-681). */
const ETHEREUM_ID = '1';

/**
 * URI schemes of payment links whose amounts are in units of the coin, with decimals. Amounts of links with
 * other schemes are ignored: they are in the coin's smallest unit, or not defined.
 */
const WITH_AMOUNT: ReadonlySet<string> = new Set([
  'bitcoin',
  'litecoin',
  'dogecoin',
  'ripple',
  'xrpl',
  'xrp',
]);

const LINK = /^([a-z][a-z0-9+.-]*):(?:\/\/)?([^?#]*)(?:\?([^#]*))?/i;
const AMOUNT = /^\d{1,20}(?:\.\d{1,18})?$/;

/**
 * Parses a scanned or pasted text, which is an address or a payment link such as `bitcoin:ADDRESS?amount=0.5` (BIP 21)
 * or `ethereum:0x…@56` (EIP-681). The result is only entered into the form: the syntax of the link is checked here, the
 * address is not.
 */
export function paymentText(text: string): PaymentText {
  const plain = text.trim();
  const [, scheme = '', path = '', query = ''] = LINK.exec(plain) ?? [];
  if (scheme === '') return { address: plain, memo: undefined, amount: undefined, networks: undefined };
  const parameters = new URLSearchParams(query);
  const amount = parameters.get('amount');
  const memo = (parameters.get('dt') ?? parameters.get('memo')) || undefined;
  const name = scheme.toLowerCase();
  if (name !== 'ethereum')
    return {
      address: path.replace(/\/+$/, ''),
      memo,
      amount: WITH_AMOUNT.has(name) && amount !== null && AMOUNT.test(amount) ? amount : undefined,
      networks: SCHEMES.get(name) ?? [],
    };
  const [, target = '', chain, action] = /^(?:pay-)?([^@/]*)(?:@(\d+))?(?:\/(\w+))?/.exec(path) ?? [];
  const network = evmNetworkOf(Number(chain ?? ETHEREUM_ID));
  const networks = network === undefined ? [] : [network.code];
  // In a link for a token transfer, the target is the address of the token's contract, and the recipient is the
  // parameter `address`.
  const address = action === 'transfer' ? (parameters.get('address') ?? '') : target;
  return { address, memo: undefined, amount: undefined, networks };
}

/** Returns true when the text is a payment link for other networks than the chosen one. */
export function isOtherNetwork(
  { networks }: PaymentText,
  { network }: Pick<CoinNetwork, 'network'>,
): boolean {
  return networks !== undefined && !networks.includes(network.code);
}
