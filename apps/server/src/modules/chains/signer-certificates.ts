import { DAY_MS, HOUR_MS, instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Log } from '../../platform/log.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import { timeText } from '../../platform/time-text.ts';

interface Parts {
  readonly signer: Pick<SignerClient, 'certificates'>;
  readonly clock: Clock;
  readonly log: Log;
}

const PERIOD_MS = HOUR_MS;
/**
 * Milliseconds before the end of a certificate from which health and log report it. Only the person with the private
 * key of the certificate authority can renew the certificate.
 */
const NOTICE_MS = 30 * DAY_MS;

/**
 * Connects to a signer on another machine once an hour, whether or not there is a payment to sign. A
 * certificate that ends within `NOTICE_MS` or a connection that fails is logged, and shown to operators as
 * `problem`.
 */
export class SignerCertificates {
  private readonly parts: Parts;
  private watchedAt: number | undefined;
  private lastProblem: string | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * The problem of the certificates or of the connection that the last check found, as a sentence for
   * operators; undefined if it found none.
   */
  get problem(): string | undefined {
    return this.lastProblem;
  }

  /**
   * Starts a check of the connection if the last check started an hour ago or earlier; does not wait for its result.
   */
  watch(): void {
    const now = this.parts.clock.now();
    if (this.watchedAt !== undefined && now - this.watchedAt < PERIOD_MS) return;
    this.watchedAt = now;
    this.running = this.check();
  }

  /** Resolves when the running check has ended; at once if no check is running. */
  settled(): Promise<void> {
    return this.running;
  }

  private async check(): Promise<void> {
    const { signer, clock, log } = this.parts;
    try {
      const certificates = await signer.certificates();
      const [first] = certificates.toSorted((left, right) => left.endsAt - right.endsAt);
      if (first === undefined || first.endsAt - clock.now() > NOTICE_MS) {
        this.lastProblem = undefined;
        return;
      }
      const { source, endsAt } = first;
      const text = `the certificate of ${source} for the signer ends on ${timeText(instant(endsAt))}: renew it`;
      if (this.lastProblem !== text) log.error('chains.signer_certificate_ends', { source, endsAt });
      this.lastProblem = text;
    } catch (cause) {
      const text = `the signer cannot be reached: ${errorMessage(cause)}`;
      if (this.lastProblem !== text) log.warn('chains.signer_not_reached', { cause });
      this.lastProblem = text;
    }
  }
}
