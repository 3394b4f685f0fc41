import { UTXO_DIGITS, UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import type { AddressCodec } from '../utxo/scripts.ts';
import { readFeeLimit } from './fee-limit.ts';
import { readLimit } from './settings.ts';
import type { UtxoSigningTerms } from './utxo-signer.ts';

const RATE_VBYTES = 1_000n;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the network for which the signer signs. Throws if it is missing, or the signer cannot sign its
 * transactions.
 */
export function readSignerNetwork(environment: Environment) {
  const code = environment['SIGNER_NETWORK']?.trim() ?? '';
  const network = UTXO_NETWORKS.get(code);
  if (network === undefined)
    throw new Error(`SIGNER_NETWORK must be one of ${[...UTXO_NETWORKS.keys()].join(', ')}, not "${code}"`);
  return network;
}

/**
 * Reads the limits and other terms by which the signer signs from its environment variables. Throws for an invalid
 * setting.
 */
export function readUtxoSigningTerms(environment: Environment, codec: AddressCodec): UtxoSigningTerms {
  const network = readSignerNetwork(environment);
  const { SIGNER_LIMIT, SIGNER_FEE_RATE = String(network.usualRates.signer) } = environment;
  const cold = environment['SIGNER_COLD_WALLET'];
  if (cold !== undefined && codec.scriptOf(cold) === undefined)
    throw new Error(`SIGNER_COLD_WALLET must be an address of ${network.code}`);
  if (!/^\d{1,7}$/.test(SIGNER_FEE_RATE)) throw new Error('SIGNER_FEE_RATE must be a whole number');
  return {
    network,
    limit: SIGNER_LIMIT === undefined ? undefined : readLimit(SIGNER_LIMIT),
    rateMax: BigInt(SIGNER_FEE_RATE) * RATE_VBYTES,
    cold,
    fees: readFeeLimit(environment, { coin: network.code, digits: UTXO_DIGITS, ...network.feesMost }),
  };
}
