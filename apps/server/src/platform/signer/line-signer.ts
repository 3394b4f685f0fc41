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

/** Maximum amounts of an asset, in coins, per payment and of all payments within 24 hours. */
export interface SigningLimit {
  readonly once: Decimal;
  readonly day: Decimal;
}

export interface SignerParts {
  /** The secret with which requests to the signer and its answers are authenticated. */
  readonly secret: string;
  /** Key of the digests by which confirmations and approvals are verified (see `withdrawalDigest`). */
  readonly digestKey: Buffer;
  readonly now: () => number;
  /**
   * The signer's certificate files if other machines connect to it; undefined for a Unix socket or the loopback
   * interface.
   */
  readonly tls?: TlsFiles | undefined;
  /** Called with the reason when a connection or request is refused, as a line without line break. */
  readonly warn?: ((line: string) => void) | undefined;
}

/**
 * `origin` is the id of a payment at the signer, e.g. `withdrawal <id>`. `digest` is the keyed digest of the
 * payment's data that the exchange computed when the owner confirmed the withdrawal, or when two operators approved
 * the return or the transfer to the cold wallet. The signer computes it again and compares.
 */
interface Approval {
  readonly origin: string;
  readonly digest: string;
}

/**
 * Base of all signers, which are processes with private keys. It answers authenticated requests, and verifies the
 * confirmations of owners and the approvals of operators.
 */
export abstract class LineSigner {
  readonly #server: LineServer;
  readonly #digestKey: Buffer;

  /** `lineMax` is the maximum number of characters of a request. */
  constructor(parts: SignerParts, lineMax: number) {
    this.#digestKey = parts.digestKey;
    this.#server = new LineServer({ ...parts, lineMax, answer: (body) => this.answer(body) });
  }

  /** Makes the signer listen at a socket path or port (see `LineServer`). */
  listen(place: string): Promise<void> {
    return this.#server.listen(place);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /**
   * Answers an authenticated request. If it throws, e.g. because the request is invalid, the connection is
   * closed without an answer, and `warn` is called.
   */
  protected abstract answer(body: unknown): Promise<unknown>;

  /**
   * Returns whether the digest of a payment equals the one that the exchange computed when the owner confirmed the
   * withdrawal, or when two operators approved the return of an incoming transfer to its sender.
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

  /**
   * Returns whether the digest of a transfer to the cold wallet equals the one that the exchange computed when two
   * operators approved it.
   */
  protected isApprovedTransfer(transfer: Omit<ApprovedColdTransfer, 'id'> & Approval): boolean {
    const { origin, digest } = transfer;
    const id = coldTransferId(origin);
    return id !== undefined && isSame(coldTransferDigest(this.#digestKey, { ...transfer, id }), digest);
  }
}

function isSame(expected: string, digest: string): boolean {
  return expected.length === digest.length && timingSafeEqual(Buffer.from(expected), Buffer.from(digest));
}
