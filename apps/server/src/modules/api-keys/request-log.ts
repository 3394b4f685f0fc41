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
  type ProgramRequest,
  type StoredRequest,
} from './request-repository.ts';

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Log;
}

const STORE_EVERY_MS = 2_000;
/** Requests of all keys that wait in memory; further ones are not recorded until some are stored. */
const WAITING_MAX = 20_000;
/** Requests that one statement stores. */
const STORED_AT_ONCE = 2_000;
/** Keys whose used weight is known. */
const WEIGHED_KEYS_MAX = 10_000;
const SECONDS = 60;

/**
 * The last requests of every API key and the weight that it used within the last minute. Requests are recorded in memory
 * and stored in batches, outside of the requests themselves.
 */
export class RequestLog {
  private readonly parts: Parts;
  private readonly waiting = new Map<string, ProgramRequest[]>();
  private readonly weights = new Map<string, MinuteWeight>();
  private waitingCount = 0;
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
    const { keyId, at, weight } = request;
    let used = this.weights.get(keyId);
    if (used === undefined) {
      if (this.weights.size >= WEIGHED_KEYS_MAX) this.weights.clear();
      this.weights.set(keyId, (used = new MinuteWeight()));
    }
    used.add(weight, at);
    let requests = this.waiting.get(keyId);
    if (requests === undefined) this.waiting.set(keyId, (requests = []));
    if (requests.length >= REQUESTS_STORED) {
      requests.shift();
    } else if (this.waitingCount >= WAITING_MAX) {
      this.unrecorded += 1;
      return;
    } else {
      this.waitingCount += 1;
    }
    requests.push(request);
  }

  /** Request weight that a key has used within the last minute, as far as this process served it. */
  usedWeight(keyId: string): number {
    return this.weights.get(keyId)?.used(this.parts.clock.now()) ?? 0;
  }

  /** The last requests of a key, newest first, with those that were just answered. */
  async page(keyId: string, page: PagedRows): Promise<ListPage<StoredRequest>> {
    if (this.waiting.has(keyId)) await this.store();
    return requestsOf(this.parts.database.store, keyId, page);
  }

  /** Removes the requests of keys that were revoked. */
  async forget(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return;
    for (const keyId of keyIds) {
      this.waitingCount -= this.waiting.get(keyId)?.length ?? 0;
      this.waiting.delete(keyId);
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
    const requests = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.waitingCount = 0;
    try {
      for (let from = 0; from < requests.length; from += STORED_AT_ONCE)
        await storeRequests(this.parts.database.store, requests.slice(from, from + STORED_AT_ONCE));
    } catch (cause) {
      this.parts.log.error('api_keys.requests_not_stored', { count: requests.length, cause });
    }
  }
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
