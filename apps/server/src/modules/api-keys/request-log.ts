import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ListPage, PagedRows } from '../../platform/database/paged-rows.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import {
  removeRequests,
  REQUESTS_STORED,
  requestsOf,
  storeRequests,
  UNPROVEN_STORED,
  unprovenCount,
  type NumberedRequest,
  type ProgramRequest,
  type RequestRing,
  type StoredRequest,
} from './request-repository.ts';

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Log;
}

const STORE_EVERY_MS = 2_000;
/** Requests of all keys that wait in memory, by ring; further ones are not recorded until some are stored. */
const WAITING_MAX: Readonly<Record<RequestRing, number>> = { proven: 20_000, unproven: 5_000 };
/** Requests that one statement stores. */
const STORED_AT_ONCE = 2_000;
/** Keys whose used weight is known. */
const WEIGHED_KEYS_MAX = 10_000;
const SECONDS = 60;
/** Requests of a key that may wait, by ring; further ones replace the oldest, which the ring would lose anyway. */
const WAITING_OF_KEY_MAX: Readonly<Record<RequestRing, number>> = {
  proven: REQUESTS_STORED,
  unproven: UNPROVEN_STORED,
};

/** The requests of a key that wait to be stored. */
interface WaitingRequests {
  /** Consecutive ones; the last has the number `last`. */
  readonly requests: ProgramRequest[];
  last: number;
}

/**
 * The last requests of every API key and the weight that it used within the last minute. Requests that may not come from
 * the key's owner are recorded apart and weigh nothing here. Requests are recorded in memory
 * and stored in batches, outside of the requests themselves.
 */
export class RequestLog {
  private readonly parts: Parts;
  private readonly waiting: Readonly<Record<RequestRing, Map<string, WaitingRequests>>> = {
    proven: new Map(),
    unproven: new Map(),
  };
  private readonly weights = new Map<string, MinuteWeight>();
  private readonly waitingCount: Record<RequestRing, number> = { proven: 0, unproven: 0 };
  private readonly stores = new SerialRuns(() => this.storeWaiting());
  private timer: NodeJS.Timeout | undefined;
  /** Requests that were not recorded because too many waited. */
  unrecorded = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  start(): void {
    this.timer = setInterval(() => void this.store(), STORE_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.store();
  }

  /** Records a request that was answered. */
  record(request: ProgramRequest): void {
    const { keyId, ring } = request;
    if (ring === 'proven') this.addWeight(request);
    const ofRing = this.waiting[ring];
    let waiting = ofRing.get(keyId);
    if (waiting === undefined) ofRing.set(keyId, (waiting = { requests: [], last: 0 }));
    const { requests } = waiting;
    if (requests.length >= WAITING_OF_KEY_MAX[ring]) {
      requests.shift();
    } else if (this.waitingCount[ring] >= WAITING_MAX[ring]) {
      this.unrecorded += 1;
      return;
    } else {
      this.waitingCount[ring] += 1;
    }
    waiting.last += 1;
    requests.push(request);
  }

  private addWeight({ keyId, at, weight }: ProgramRequest): void {
    let used = this.weights.get(keyId);
    if (used === undefined) {
      if (this.weights.size >= WEIGHED_KEYS_MAX) this.weights.clear();
      this.weights.set(keyId, (used = new MinuteWeight()));
    }
    used.add(weight, at);
  }

  /** Request weight that a key has used within the last minute, as far as this process served it. */
  usedWeight(keyId: string): number {
    return this.weights.get(keyId)?.used(this.parts.clock.now()) ?? 0;
  }

  /** The last requests of a key in one ring, newest first, with those that were just answered. */
  async page(
    requests: { readonly keyId: string; readonly ring: RequestRing },
    page: PagedRows,
  ): Promise<ListPage<StoredRequest>> {
    await this.storeOf(requests.keyId);
    return requestsOf(this.parts.database.store, requests, page);
  }

  /** The number of unproven requests that have named a key, with those that were just answered. */
  async unprovenCount(keyId: string): Promise<number> {
    await this.storeOf(keyId);
    return unprovenCount(this.parts.database.store, keyId);
  }

  /** Resolves when all requests of a key that were answered until now are stored. */
  private async storeOf(keyId: string): Promise<void> {
    const isAnyWaiting = RINGS.some((ring) => this.waiting[ring].has(keyId));
    // Requests of the key may be among those that are being stored.
    await (isAnyWaiting ? this.store() : this.stores.whenIdle());
  }

  /** Removes the requests of keys that were revoked. */
  async forget(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return;
    for (const keyId of keyIds) {
      for (const ring of RINGS) {
        this.waitingCount[ring] -= this.waiting[ring].get(keyId)?.requests.length ?? 0;
        this.waiting[ring].delete(keyId);
      }
      this.weights.delete(keyId);
    }
    await this.stores.whenIdle();
    await removeRequests(this.parts.database.store, keyIds);
  }

  /** Stores what waits. One run follows another, so the requests of a key stay in their order. */
  private store(): Promise<void> {
    return this.stores.run();
  }

  private async storeWaiting(): Promise<void> {
    const taken = RINGS.map((ring) => {
      const requests = [...this.waiting[ring].values()].flatMap(numbered);
      this.waiting[ring].clear();
      this.waitingCount[ring] = 0;
      return { ring, requests };
    });
    for (const { ring, requests } of taken) await this.storeRing(ring, requests);
  }

  private async storeRing(ring: RequestRing, requests: readonly NumberedRequest[]): Promise<void> {
    try {
      // The numbers of a key continue over its statements, so each key is stored by one.
      for (const batch of batchesOfKeys(requests))
        await storeRequests(this.parts.database.store, ring, batch);
    } catch (cause) {
      this.parts.log.error('api_keys.requests_not_stored', { count: requests.length, cause });
    }
  }
}

/** The requests of a key with their numbers. */
function numbered({ requests, last }: WaitingRequests): NumberedRequest[] {
  const first = last - requests.length + 1;
  return requests.map((request, index) => ({ request, number: first + index }));
}

const RINGS: readonly RequestRing[] = ['proven', 'unproven'];

/** Divides requests into batches of about `STORED_AT_ONCE` without dividing those of a key, which follow one another. */
function batchesOfKeys(requests: readonly NumberedRequest[]): NumberedRequest[][] {
  const batches: NumberedRequest[][] = [];
  for (const request of requests) {
    const batch = batches.at(-1);
    const isOfSameKey = batch?.at(-1)?.request.keyId === request.request.keyId;
    if (batch !== undefined && (isOfSameKey || batch.length < STORED_AT_ONCE)) batch.push(request);
    else batches.push([request]);
  }
  return batches;
}

/** Weight by second of the last minute. */
class MinuteWeight {
  private readonly bySecond = new Float64Array(SECONDS);
  private newestSecond = 0;

  add(weight: number, at: Instant): void {
    this.forgetBefore(at);
    this.bySecond[this.newestSecond % SECONDS]! += weight;
  }

  used(now: Instant): number {
    this.forgetBefore(now);
    return this.bySecond.reduce((sum, weight) => sum + weight, 0);
  }

  private forgetBefore(now: Instant): void {
    const second = Math.floor(now / 1_000);
    const passed = Math.min(SECONDS, second - this.newestSecond);
    for (let step = 1; step <= passed; step += 1) this.bySecond[(this.newestSecond + step) % SECONDS] = 0;
    if (passed > 0) this.newestSecond = second;
  }
}
