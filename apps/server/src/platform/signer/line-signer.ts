import { timingSafeEqual } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { TlsFiles } from '@exchange/core/signer-place.ts';
import { LineServer } from './line-server.ts';
import {
  coldTransferDigest,
  coldTransferId,
  returnDigest,
  returnReferenceOf,
  withdrawalDigest,
  type ApprovedColdTransfer,
  type ConfirmedWithdrawal,
} from './protocol.ts';

const WITHDRAWAL_START = 'withdrawal ';

/** Maximum amounts of an asset per payment and within 24 hours. */
export interface SigningLimit {
  readonly once: Decimal;
  readonly day: Decimal;
}

export interface SignerParts {
  /** The secret that authenticates requests and answers. */
  readonly secret: string;
  /**
   * Key of the digests by which owners' confirmations of withdrawals are verified
   * (`withdrawalDigest`).
   */
  readonly digestKey: Buffer;
  readonly now: () => number;
  /**
   * The signer's TLS certificates if other machines reach it; undefined for a socket or the
   * loopback.
   */
  readonly tls?: TlsFiles | undefined;
  /** Reports why a connection was refused, as a line without line break. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** The id under which a payment is signed, and the digest of its approval. */
interface Approval {
  readonly origin: string;
  readonly digest: string;
}

/**
 * A process that holds private keys: answers authenticated requests, and verifies what owners and
 * operators approved.
 */
export abstract class LineSigner {
  readonly #server: LineServer;
  readonly #digestKey: Buffer;

  /** `lineMax` is the greatest number of characters of a request. */
  constructor(parts: SignerParts, lineMax: number) {
    this.#digestKey = parts.digestKey;
    this.#server = new LineServer({ ...parts, lineMax, answer: (body) => this.answer(body) });
  }

  /** Listens at a socket path or port (see `LineServer`). */
  listen(place: string): Promise<void> {
    return this.#server.listen(place);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Answers an authenticated request; throws for an invalid one, which gets no answer. */
  protected abstract answer(body: unknown): Promise<unknown>;

  /**
   * Whether a payment has the digest that the exchange computed when the owner confirmed the withdrawal, or when two
   * operators approved the return of an arrival to its sender.
   */
  protected isConfirmed(withdrawal: Omit<ConfirmedWithdrawal, 'id'> & Approval): boolean {
    const { origin, digest } = withdrawal;
    const reference = returnReferenceOf(origin);
    if (reference !== undefined)
      return isSame(returnDigest(this.#digestKey, { ...withdrawal, id: reference }), digest);
    if (!origin.startsWith(WITHDRAWAL_START)) return false;
    const id = origin.slice(WITHDRAWAL_START.length);
    return isSame(withdrawalDigest(this.#digestKey, { ...withdrawal, id }), digest);
  }

  /** Whether a transfer to the cold wallet has the digest of what two operators approved. */
  protected isApprovedTransfer(transfer: Omit<ApprovedColdTransfer, 'id'> & Approval): boolean {
    const { origin, digest } = transfer;
    const id = coldTransferId(origin);
    return id !== undefined && isSame(coldTransferDigest(this.#digestKey, { ...transfer, id }), digest);
  }
}

function isSame(expected: string, digest: string): boolean {
  return expected.length === digest.length && timingSafeEqual(Buffer.from(expected), Buffer.from(digest));
}
