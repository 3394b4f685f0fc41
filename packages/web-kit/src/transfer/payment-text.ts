import type { CoinNetwork } from '@exchange/core/network.ts';

/** A payment request parsed from a scanned or pasted text. */
export interface PaymentText {
  readonly address: string;
  readonly memo: string | undefined;
  /**
   * Plain decimal text in whole coins; undefined when the text states no amount, or one in another unit or notation.
   */
  readonly amount: string | undefined;
  /** Network codes on which the request can be paid; undefined when the text names no network. */
  readonly networks: readonly string[] | undefined;
}

/** Payment link schemes with their networks. Chains that the exchange does not offer are missing. */
const SCHEMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['bitcoin', ['BTC']],
  ['litecoin', ['LTC']],
  ['dogecoin', ['DOGE']],
  ['tron', ['TRC20']],
  ['ripple', ['XRP']],
  ['xrpl', ['XRP']],
  ['xrp', ['XRP']],
  ['eos', ['EOS']],
  ['cardano', ['ADA']],
  ['web+cardano', ['ADA']],
]);
/** EIP-681 identifies the chain of an `ethereum:` link by its chain id; the default is mainnet. */
const EVM_CHAINS: ReadonlyMap<string, readonly string[]> = new Map([
  ['1', ['ERC20']],
  ['56', ['BEP20']],
]);

/**
 * URI schemes of payment links whose amounts are in whole coins; other schemes use the smallest
 * unit or define none.
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
 * Parses a scanned or pasted text: an address, or a payment link such as `bitcoin:ADDRESS?amount=0.5` (BIP
 * 21) or `ethereum:0x…@56` (EIP-681). The result only prefills the form; apart from the link's syntax nothing
 * is validated here.
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
  const networks = EVM_CHAINS.get(chain ?? '1') ?? [];
  // In a token transfer the target is the contract, and the recipient is a parameter.
  const address = action === 'transfer' ? (parameters.get('address') ?? '') : target;
  return { address, memo: undefined, amount: undefined, networks };
}

/** True when a payment link is for a network other than the chosen one. */
export function isOtherNetwork(
  { networks }: PaymentText,
  { network }: Pick<CoinNetwork, 'network'>,
): boolean {
  return networks !== undefined && !networks.includes(network.code);
}
