import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { untilText, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { Participant } from '../../platform/sequencer/sequencer.ts';
import type { Chains } from '../chains/index.ts';
import type { NetworkPause, TransferDirection } from './domain.ts';
import { endNetworkPause, openNetworkPauses, storeNetworkPause } from './network-pauses-repository.ts';

interface Parts {
  readonly chains: Pick<Chains, 'offered'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
}

/** Name of the operator who pauses or resumes a network, with the reason. */
interface Decision {
  readonly by: string;
  readonly reason: string;
}

/**
 * Pauses of deposits and withdrawals on networks. While deposits on a network are paused, no deposit address is shown
 * and no deposit is credited. While withdrawals are paused, no withdrawal can be requested and none is signed; signed
 * ones are still completed. Waiting deposits and withdrawals continue when the pause ends.
 */
export class NetworkPauses implements Participant {
  readonly name = 'network pauses';
  private readonly parts: Parts;
  /** Decisions about the same network and direction (deposits or withdrawals) run one after another. */
  private readonly decisions = new OnePerKey();
  private pauses: ReadonlyMap<string, NetworkPause> = new Map();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async load(): Promise<void> {
    const pauses = await openNetworkPauses(this.parts.database.store);
    this.pauses = new Map(pauses.map((pause) => [keyOf(pause.network, pause.direction), pause]));
  }

  /** Returns the pause of a network's deposits or withdrawals; undefined if there is none. */
  find(network: string, direction: TransferDirection): NetworkPause | undefined {
    return this.pauses.get(keyOf(network, direction));
  }

  /** All current pauses, at most two per network: one of deposits and one of withdrawals. */
  get all(): readonly NetworkPause[] {
    return [...this.pauses.values()];
  }

  /** Refuses if the network's deposits or withdrawals, as `direction` says, are paused. */
  requireOpen(
    { code, name }: { readonly code: string; readonly name: string },
    direction: TransferDirection,
  ): void {
    const pause = this.find(code, direction);
    if (pause === undefined) return;
    const { expectedAt } = pause;
    const details = { limit: name, value: code };
    // An expected end of the pause that has already passed is left out of the refusal.
    if (expectedAt === undefined || expectedAt <= this.parts.clock.now())
      throw new Refused(
        refusal(
          'maintenance',
          direction === 'deposits' ? 'l.deposits_paused' : 'l.withdrawals_paused',
          details,
        ),
      );
    throw new Refused(
      refusal(
        'maintenance',
        direction === 'deposits' ? 'l.deposits_paused_until' : 'l.withdrawals_paused_until',
        { limit: name, value: code, until: untilText(expectedAt) },
      ),
    );
  }

  /** Refuses a network that is not offered, and an expected end of the pause that has already passed. */
  check(network: string, expectedAt: Instant | undefined): void {
    if (!this.parts.chains.offered.has(network)) throw new Refused(refusal('generic', 'l.not_found'));
    const now = this.parts.clock.now();
    if (expectedAt !== undefined && expectedAt <= now)
      throw new Refused(
        refusal('invalidField', 'l.field_invalid', { field: 'expectedAt', value: String(expectedAt) }),
      );
  }

  /**
   * Pauses deposits or withdrawals on a network until an operator resumes them. If they are paused already, replaces
   * the note and the expected end. Refuses what `check` refuses.
   */
  async pause(
    network: string,
    direction: TransferDirection,
    decision: Decision & { readonly note: TextByLocale; readonly expectedAt: Instant | undefined },
  ): Promise<void> {
    this.check(network, decision.expectedAt);
    await this.decisions.run(keyOf(network, direction), () => this.storePause(network, direction, decision));
  }

  /** Ends the pause of a network's deposits or withdrawals. Refuses if they are not paused. */
  resume(network: string, direction: TransferDirection, decision: Decision): Promise<void> {
    return this.decisions.run(keyOf(network, direction), () => this.storeEnd(network, direction, decision));
  }

  private async storePause(
    network: string,
    direction: TransferDirection,
    {
      note,
      expectedAt,
      by,
      reason,
    }: Decision & { readonly note: TextByLocale; readonly expectedAt: Instant | undefined },
  ): Promise<void> {
    const { clock, database, log } = this.parts;
    const now = clock.now();
    const pause = await database.transaction((tx) =>
      storeNetworkPause(tx, newId(systemRandom, now), {
        network,
        direction,
        note,
        expectedAt,
        by,
        reason,
        now,
      }),
    );
    this.pauses = new Map([...this.pauses, [keyOf(network, direction), pause]]);
    log.warn('treasury.network_paused', { network, direction, by, reason });
  }

  private async storeEnd(
    network: string,
    direction: TransferDirection,
    { by, reason }: Decision,
  ): Promise<void> {
    const { clock, database, log } = this.parts;
    const now = clock.now();
    const ended = await database.transaction((tx) =>
      endNetworkPause(tx, { network, direction }, { by, reason, now }),
    );
    if (ended === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const key = keyOf(network, direction);
    this.pauses = new Map([...this.pauses].filter(([name]) => name !== key));
    log.warn('treasury.network_resumed', { network, direction, by, reason });
  }
}

function keyOf(network: string, direction: TransferDirection): string {
  return `${network} ${direction}`;
}
