import { Channel, type ChannelOptions, type Update } from './channel.ts';
import type { TopicReceiver } from './feed.ts';

/**
 * Maximum number of updates, and of their characters, that are stored after a topic's snapshot. If there are more, the
 * next subscriber needs a new snapshot.
 */
const LOG_MAX = { updates: 64, characters: 262_144 } as const;

interface Options extends Omit<ChannelOptions, 'snapshot'> {
  /** Requests the topic's state again from the process that publishes it. */
  readonly refetch: () => void;
}

/**
 * An update or a snapshot of a topic, with its position in the publishing process's stream of messages for
 * all topics. A snapshot contains the updates up to its position.
 */
interface Placed extends Update {
  readonly position: number;
}

/** Error: a subscription to a topic of another process has failed or ended. */
export class TopicFailure extends Error {
  readonly reason: 'absent' | 'failed';

  constructor(reason: 'absent' | 'failed') {
    super(`the topic is ${reason}`);
    this.reason = reason;
  }
}

/**
 * A topic that another process publishes. The last snapshot and the updates since then are stored, and new subscribers
 * get their state from these, so that not every subscriber causes a request to the publishing process. If updates were
 * lost, all subscribers get a new snapshot; their connections stay open.
 */
export class FollowedChannel extends Channel implements TopicReceiver {
  readonly #refetch: () => void;
  #base: Placed | undefined;
  #log: Placed[] = [];
  #logCharacters = 0;
  /** Whether a snapshot of the topic was requested and has not arrived yet. */
  #isRequested = true;
  /**
   * Whether more than `LOG_MAX` updates have arrived between the request for a snapshot and its arrival, so that they
   * were dropped and that snapshot cannot be used.
   */
  #isTruncated = false;
  /**
   * Whether no update was lost since the last snapshot from the publishing process. Otherwise updates are not
   * sent to subscribers until a new snapshot has arrived.
   */
  #isCurrent = true;
  #loading: { readonly promise: Promise<Update>; readonly resolve: (update: Update) => void } | undefined;

  constructor({ refetch, ...options }: Options) {
    super(Object.assign(options, { snapshot: () => undefined }));
    this.#refetch = refetch;
  }

  override snapshot(): Update | Promise<Update> {
    if (this.#base !== undefined) return this.#base;
    if (!this.#isRequested) this.#request();
    this.#loading ??= pending();
    return this.#loading.promise;
  }

  override get updatesSince(): readonly Update[] {
    return this.#log.slice();
  }

  update(json: string, position: number): void {
    if (this.#base !== undefined && position <= this.#base.position) return;
    const { seq, frame } = this.number(json);
    const placed: Placed = { seq, frame, position };
    if (this.#base !== undefined || this.#isRequested) this.#store(placed, json.length);
    if (this.#isCurrent) this.distribute(placed);
  }

  install(json: string, position: number): void {
    this.#isRequested = false;
    if (this.#isTruncated) {
      this.#request();
      return;
    }
    this.#log = this.#log.filter((update) => update.position > position);
    const [next] = this.#log;
    const seq = next === undefined ? this.seq : next.seq - 1;
    this.#base = { seq, frame: this.frameOf('snapshot', json, seq), position };
    this.#loading?.resolve(this.#base);
    this.#loading = undefined;
    if (this.#isCurrent) return;
    this.#isCurrent = true;
    this.distribute(seq);
  }

  invalidate(): void {
    this.#clear();
    this.#isRequested = true;
    this.#isCurrent = false;
    // An update number is skipped, so that every subscriber receives a snapshot before later updates.
    this.seq += 1;
  }

  end(reason: 'absent' | 'failed'): void {
    this.#loading = undefined;
    for (const subscription of this.subscriptions) this.fail(subscription, new TopicFailure(reason));
  }

  #request(): void {
    this.#clear();
    this.#isRequested = true;
    this.#refetch();
  }

  #clear(): void {
    this.#base = undefined;
    this.#log = [];
    this.#logCharacters = 0;
    this.#isTruncated = false;
  }

  #store(update: Placed, characters: number): void {
    this.#log.push(update);
    this.#logCharacters += characters;
    if (this.#log.length <= LOG_MAX.updates && this.#logCharacters <= LOG_MAX.characters) return;
    this.#clear();
    this.#isTruncated = this.#isRequested;
  }
}

/** Returns a promise together with the function that fulfils it. */
function pending() {
  let resolve: (update: Update) => void = () => undefined;
  const promise = new Promise<Update>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
