import type { HDNodeVoidWallet } from 'ethers';
import type { UtxoNetwork } from '@exchange/core/utxo-network.ts';

/**
 * Branches of keys below a wallet account (BIP 44): for users' deposit addresses, and for the exchange's own addresses.
 */
export const BRANCH = { deposits: 0, own: 1 } as const;
export type Branch = (typeof BRANCH)[keyof typeof BRANCH];

/** Index of the exchange's own address that receives refills and change. */
export const CHANGE_INDEX = 0;

/** An address with the script that pays to it, in lower-case hex. */
export interface Place {
  readonly address: string;
  readonly script: string;
}

/** Interface of objects that derive addresses from the extended public key of an account. */
export interface AccountAddresses {
  placeAt(branch: Branch, index: number): Place;
}

/** Interface of objects that convert between addresses of a network's public chain and scripts. */
export interface AddressCodec {
  /**
   * Returns the script that pays to an address, in hex; undefined for a text that is no address of the
   * network.
   */
  scriptOf(address: string): string | undefined;
  /** Returns the address to which a script pays; undefined for scripts without an address. */
  addressOf(script: string): string | undefined;
}

/**
 * Returns an object that derives the addresses of a wallet account from its extended public key. Throws for a
 * private key and for any other text.
 */
export async function accountAddresses(network: UtxoNetwork, xpub: string): Promise<AccountAddresses> {
  const { HDNodeWallet } = await import('ethers');
  const placeOf = await placesOf(network);
  const account = HDNodeWallet.fromExtendedKey(xpub);
  if ('privateKey' in account) throw new Error('addresses are derived from a public key only');
  const branches = new Map<Branch, HDNodeVoidWallet>(
    Object.values(BRANCH).map((branch) => [branch, account.deriveChild(branch)]),
  );
  return {
    placeAt: (branch, index) => placeOf(bytesOf(branches.get(branch)!.deriveChild(index).publicKey.slice(2))),
  };
}

/** Returns a function that computes the address and the script of a compressed public key. */
export async function placesOf(network: UtxoNetwork): Promise<(publicKey: Uint8Array) => Place> {
  const { p2pkh, p2wpkh } = await import('@scure/btc-signer');
  return (publicKey) => {
    const payment =
      network.script === 'wpkh' ? p2wpkh(publicKey, network.versions) : p2pkh(publicKey, network.versions);
    return { address: payment.address, script: hexOf(payment.script) };
  };
}

/**
 * Returns an object that converts between addresses and scripts of a network. Without segregated witness,
 * only addresses of public key hashes and script hashes have scripts: anybody could spend what is paid to a
 * witness program there.
 */
export async function addressCodec(network: UtxoNetwork): Promise<AddressCodec> {
  const { Address, OutScript } = await import('@scure/btc-signer');
  const addresses = Address(network.versions);
  const isKnown = (type: string) => network.script === 'wpkh' || type === 'pkh' || type === 'sh';
  return {
    scriptOf: (address) => {
      try {
        const script = addresses.decode(address);
        return isKnown(script.type) ? hexOf(OutScript.encode(script)) : undefined;
      } catch {
        return undefined; // The text is no address of this network, so it has no script.
      }
    },
    addressOf: (script) => {
      try {
        const decoded = OutScript.decode(bytesOf(script));
        return isKnown(decoded.type) ? addresses.encode(decoded) : undefined;
      } catch {
        return undefined; // The script has no address, e.g. because it only carries data.
      }
    },
  };
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
