import type { UserId } from '@exchange/core/ids.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TextSocket } from '../../platform/feed/text-sockets.ts';
import { SharedFrame } from '../../platform/feed/frame.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import { randomText, type Random } from '../../platform/secrets/random.ts';
import type { Framing } from './stream-topics.ts';
import type { UserReader, UserStreams } from './user-streams.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 64;
const VALID_MS = 60 * MINUTE_MS;
/**
 * Maximum number of valid listen keys of all users together; with a further one, the key that expires first is removed
 * and its readers are notified of its expiry.
 */
const MOST_KEYS = 20_000;

/** Whether a name has the form of a listen key. */
export function isListenKey(name: string): boolean {
  return name.length === LENGTH && /^[A-Za-z0-9]*$/.test(name);
}

interface ListenKey {
  readonly text: string;
  readonly owner: UserId;
  /** The public part of the API key that created the listen key. */
  readonly apiKey: string;
  expiresMs: number;
  /** Readers of the user's events by connection. */
  readonly readers: Map<string, UserReader>;
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly users: UserStreams;
}

/**
 * Listen keys, which identify users in the names of streams. They are held in memory: after a
 * restart of the server, programs create new ones, as they do after an expiry.
 */
export class ListenKeys {
  private readonly parts: Parts;
  /** Listen keys by their text; the key that expires first is the first entry. */
  private readonly byText = new Map<string, ListenKey>();
  private readonly byApiKey = new Map<string, ListenKey>();
  private readonly expiry = new PeriodicTask(() => this.endExpired(), { everyMs: MINUTE_MS });

  constructor(parts: Parts) {
    this.parts = parts;
  }

  start(): void {
    this.expiry.start();
  }

  async stop(): Promise<void> {
    await this.expiry.stop();
  }

  /**
   * Returns the listen key of an API key, the existing one or a new one, valid for an hour from now. If there are then
   * more than `MOST_KEYS`, removes the listen key that expires first and notifies its readers.
   */
  issue({ owner, key: apiKey }: { readonly owner: UserId; readonly key: string }): string {
    this.endExpired();
    const existing = this.byApiKey.get(apiKey);
    if (existing !== undefined) {
      this.extend(existing);
      return existing.text;
    }
    const listenKey: ListenKey = {
      text: randomText(this.parts.random, ALPHABET, LENGTH),
      owner,
      apiKey,
      expiresMs: 0,
      readers: new Map(),
    };
    this.byApiKey.set(apiKey, listenKey);
    this.extend(listenKey);
    if (this.byText.size > MOST_KEYS)
      for (const oldest of this.byText.values()) {
        this.remove(oldest);
        break;
      }
    return listenKey.text;
  }

  /**
   * Makes a listen key of the owner valid for an hour from now. Returns false for an unknown key and for one of another
   * owner.
   */
  prolong(owner: UserId, text: string): boolean {
    const listenKey = this.find(text);
    if (listenKey?.owner !== owner) return false;
    this.extend(listenKey);
    return true;
  }

  /** Ends a listen key of the owner and its streams. Returns false for an unknown key and for one of another owner. */
  end(owner: UserId, text: string): boolean {
    const listenKey = this.find(text);
    if (listenKey?.owner !== owner) return false;
    this.remove(listenKey);
    return true;
  }

  /** Adds a connection that reads the events of a listen key's user. Returns false for an unknown key. */
  join(text: string, socket: TextSocket, framing: Framing): boolean {
    const listenKey = this.find(text);
    if (listenKey === undefined) return false;
    const { users } = this.parts;
    const before = listenKey.readers.get(socket.id);
    if (before !== undefined) users.leave(listenKey.owner, before);
    const reader: UserReader = {
      apiKey: listenKey.apiKey,
      address: socket.address,
      send: (event) => socket.write(frameOf(event, text, framing)),
      ended: () => this.remove(listenKey),
    };
    listenKey.readers.set(socket.id, reader);
    void users.join(listenKey.owner, reader);
    return true;
  }

  leave(text: string, socket: TextSocket): void {
    const listenKey = this.byText.get(text);
    const reader = listenKey?.readers.get(socket.id);
    if (listenKey === undefined || reader === undefined) return;
    listenKey.readers.delete(socket.id);
    this.parts.users.leave(listenKey.owner, reader);
  }

  /** Removes the expired listen keys; their readers receive the event `listenKeyExpired` and no further events. */
  endExpired(): void {
    const now = this.parts.clock.monotonicMs();
    for (const listenKey of this.byText.values()) {
      if (listenKey.expiresMs > now) break;
      this.remove(listenKey);
    }
  }

  private find(text: string): ListenKey | undefined {
    const listenKey = this.byText.get(text);
    return listenKey !== undefined && listenKey.expiresMs > this.parts.clock.monotonicMs()
      ? listenKey
      : undefined;
  }

  private extend(listenKey: ListenKey): void {
    listenKey.expiresMs = this.parts.clock.monotonicMs() + VALID_MS;
    this.byText.delete(listenKey.text);
    this.byText.set(listenKey.text, listenKey);
  }

  private remove(listenKey: ListenKey): void {
    const { clock, users } = this.parts;
    this.byText.delete(listenKey.text);
    if (this.byApiKey.get(listenKey.apiKey) === listenKey) this.byApiKey.delete(listenKey.apiKey);
    for (const reader of listenKey.readers.values()) {
      users.leave(listenKey.owner, reader);
      reader.send({ e: 'listenKeyExpired', E: clock.now(), listenKey: listenKey.text });
    }
    listenKey.readers.clear();
  }
}

/**
 * The uncompressed frame of an event for a single user. It is not compressed, because the length of a
 * compressed message would reveal something about its content.
 */
function frameOf(event: object, name: string, framing: Framing): SharedFrame {
  return frameOfText(JSON.stringify(event), name, framing);
}

/**
 * The uncompressed frame of an event in JSON text: unchanged with the framing `bare`, otherwise wrapped in an object
 * with the name of its stream.
 */
export function frameOfText(json: string, name: string, framing: Framing): SharedFrame {
  return new SharedFrame(framing === 'bare' ? json : `{"stream":"${name}","data":${json}}`, false);
}
