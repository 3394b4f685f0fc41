/** Kinds of signers. Each kind has a journal of its own format. */
export type SignerKind = 'evm' | 'utxo' | 'xrp' | 'tron';

/** A network on which a signer of this exchange sends coins. */
export interface PayingNetwork {
  readonly kind: SignerKind;
  readonly network: string;
}

interface Sending {
  /** Settings of the network's signer; undefined if nothing is sent on the network. */
  readonly sending: unknown;
}

/** The settings of all kinds of chains. */
interface Chains {
  readonly evm: readonly (Sending & { readonly network: string })[];
  readonly utxo: readonly (Sending & { readonly network: string })[];
  readonly xrp: Sending | undefined;
  readonly tron: Sending | undefined;
}

/**
 * Returns the networks with a signer, of all kinds of chains. A kind that is added to `SignerKind` must be
 * added here.
 */
export function payingNetworks({ evm, utxo, xrp, tron }: Chains): readonly PayingNetwork[] {
  const sending: Readonly<Record<SignerKind, readonly string[]>> = {
    evm: evm.filter(isSending).map(({ network }) => network),
    utxo: utxo.filter(isSending).map(({ network }) => network),
    xrp: isSending(xrp) ? ['XRP'] : [],
    tron: isSending(tron) ? ['TRON'] : [],
  };
  return (Object.keys(sending) as SignerKind[]).flatMap((kind) =>
    sending[kind].map((network) => ({ kind, network })),
  );
}

function isSending(chain: Sending | undefined): boolean {
  return chain?.sending !== undefined;
}
