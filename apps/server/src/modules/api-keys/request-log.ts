import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ListPage, PagedRows } from '../../platform/database/paged-rows.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
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
/**
 * For each of the two logs: greatest number of API requests that wait in memory to be stored. Further requests are not
 * recorded, with one exception: if the API key of a request has reached its own limit (`WAITING_OF_KEY_MAX`), the
 * request replaces the oldest waiting request of that key.
 */
const WAITING_MAX: Readonly<Record<RequestRing, number>> = { proven: 20_000, unproven: 5_000 };
/**
 * Approximate greatest number of API requests that one SQL statement stores; it may be exceeded, because all waiting
 * requests of a key are stored by the same statement.
 */
const STORED_AT_ONCE = 2_000;
/**
 * Greatest number of API keys for which the recently used request weight is in memory. When a further key is used, the
 * weights of all keys are reset to zero.
 */
const WEIGHED_KEYS_MAX = 10_000;
const SECONDS = 60;
/**
 * For each of the two logs: greatest number of requests of one API key that wait in memory to be stored; a further
 * request replaces the oldest one.
 */
const WAITING_OF_KEY_MAX: Readonly<Record<RequestRing, number>> = {
  proven: REQUESTS_STORED,
  unproven: UNPROVEN_STORED,
};

/** The requests of an API key that wait in memory to be stored in the request log. */
interface WaitingRequests {
  /**
   * Requests of the key that are not stored yet, oldest first, with consecutive numbers; `last` is the number
   * of the last one.
   */
  readonly requests: ProgramRequest[];
  last: number;
}

/**
 * Records the latest requests of every API key, and the request weight that each key used within the last minute.
 * Requests that may not come from the key's owner (`unproven`) are recorded in a separate log and add no weight.
 * Requests are recorded in memory first and stored in batches; requests whose storing fails are lost, which is logged.
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
  private readonly periodicStores = new PeriodicTask(() => this.store(), { everyMs: STORE_EVERY_MS });
  /**
   * Number of API requests of both logs that this process has not recorded since its start, because `WAITING_MAX`
   * requests of the same log waited to be stored.
   */
  unrecorded = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  start(): void {
    this.periodicStores.start();
  }

  async stop(): Promise<void> {
    await this.periodicStores.stop();
    await this.store();
  }

  /**
   * Records an API request after it was answered. If the greatest number of its key's requests wait, the
   * request replaces the oldest of them. Otherwise, if the greatest number of all requests of its log wait,
   * the request is not stored and only counted in `unrecorded`. The weight of a proven request counts in any
   * case.
   */
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

  /**
   * Returns the request weight that an API key has used within the last 60 seconds; only proven requests that
   * this process served are counted. It is too low after the weights were reset (`WEIGHED_KEYS_MAX`).
   */
  usedWeight(keyId: string): number {
    return this.weights.get(keyId)?.used(this.parts.clock.now()) ?? 0;
  }

  /**
   * Returns a page of the requests of an API key in one log, newest first. Before it reads the page, it
   * writes the key's requests that this process recorded before the call to the database; those of other
   * processes may still be missing.
   */
  async page(
    requests: { readonly keyId: string; readonly ring: RequestRing },
    page: PagedRows,
  ): Promise<ListPage<StoredRequest>> {
    await this.storeOf(requests.keyId);
    return requestsOf(this.parts.database.store, requests, page);
  }

  /**
   * Returns the number of unproven requests recorded for an API key since its creation, including those that
   * newer ones replaced in the log. Before it counts, it writes those that this process recorded before the
   * call to the database.
   */
  async unprovenCount(keyId: string): Promise<number> {
    await this.storeOf(keyId);
    return unprovenCount(this.parts.database.store, keyId);
  }

  /**
   * Resolves when the requests of an API key that this process recorded before the call are stored in the request log,
   * or when storing them has failed.
   */
  private async storeOf(keyId: string): Promise<void> {
    const isAnyWaiting = RINGS.some((ring) => this.waiting[ring].has(keyId));
    // If none of the key's requests wait, some may be in a batch that is being stored, so the end of that batch is
    // awaited.
    await (isAnyWaiting ? this.store() : this.stores.whenIdle());
  }

  /** Removes the requests of the given API keys, which are revoked, from memory and from both logs. */
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

  /**
   * Writes the API requests that wait in memory to the database. Two runs never overlap, so the requests of a
   * key are written in their order.
   */
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
      // The database continues the numbers of an API key from its newest stored request, so one statement has to store
      // all waiting requests of the key.
      for (const batch of batchesOfKeys(requests))
        await storeRequests(this.parts.database.store, ring, batch);
    } catch (cause) {
      this.parts.log.error('api_keys.requests_not_stored', { count: requests.length, cause });
    }
  }
}

/** Returns the waiting API requests of a key, each with its number. */
function numbered({ requests, last }: WaitingRequests): NumberedRequest[] {
  const first = last - requests.length + 1;
  return requests.map((request, index) => ({ request, number: first + index }));
}

const RINGS: readonly RequestRing[] = ['proven', 'unproven'];

/**
 * Divides API requests into batches of about `STORED_AT_ONCE` requests. If the requests of each API key stand
 * next to each other in `requests`, they are in the same batch.
 */
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

/**
 * The request weight that one API key used in each second of the last minute, and the sum of these weights.
 */
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
