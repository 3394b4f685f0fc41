import { createHmac, createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import { instant, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { rowsOfPage, type AskedPage, type ListPage } from '../../platform/database/paged-rows.ts';
import type { Caller } from '../../platform/http/route.ts';
import type { Log } from '../../platform/log.ts';
import { newId, randomText, type Random } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import { timeText } from '../../platform/time-text.ts';
import ipaddr from 'ipaddr.js';
import type { Identity } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';
import { isKeyFormat, isPermitted, KEY_ALPHABET, KEY_LENGTH, type ApiKey, type KeyAction } from './domain.ts';
import { presentKey } from './present.ts';
import type { RequestLog } from './request-log.ts';
import type { StoredRequest } from './request-repository.ts';
import { ApiKeyRepository, type StoredKey } from './repository.ts';

export interface ApiKeyParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly identity: Pick<Identity, 'prepare' | 'writeSecurityEvent'>;
  readonly messages: Messages;
  readonly requests: Pick<RequestLog, 'forget' | 'page' | 'usedWeight'>;
  /** Keys that an account can have. */
  readonly mostKeys: number;
}

/** Fields of a new key. */
export interface NewKey {
  readonly name: string;
  readonly mayTrade: boolean;
  readonly addresses: readonly string[];
  readonly expiresAt: Instant | undefined;
  /** PEM of the owner's public key; undefined for a key with a shared secret. */
  readonly publicKey: string | undefined;
}

/** A request of an owner or operator, for the account's security log. */
interface SecurityContext {
  readonly caller: Pick<Caller, 'address' | 'userAgent'>;
  /** Why an operator acted, with the operator's name. */
  readonly reason?: string;
}

/** A key in memory with what its signatures are verified with. */
interface LoadedKey {
  readonly apiKey: ApiKey;
  readonly verifier: Buffer | KeyObject;
  readonly loadedMs: number;
}

const SEAL_PURPOSE = 'api secrets';
/** How long a repetition of the request that created a key is answered with the secret. */
const SECRET_REPEATED_MS = 10 * MINUTE_MS;
const STORE_USES_EVERY_MS = 30_000;
/** A key that another process revoked stops working within this time. */
const RELOAD_AFTER_MS = 60_000;
const KEYS_LOADED_MAX = 10_000;

/**
 * Keys for programs: created and revoked by their owners, found and verified at every request of a program. The
 * secret is stored encrypted, because a shared secret is needed to verify signatures.
 */
export class ApiKeys {
  private readonly parts: ApiKeyParts;
  private readonly repository: ApiKeyRepository;
  private readonly loaded = new Map<string, LoadedKey>();
  private readonly uses = new Map<string, { id: string; at: Instant; address: string }>();
  /** Keys with the addresses from which this process has seen them. */
  private readonly seen = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(parts: ApiKeyParts) {
    this.parts = parts;
    this.repository = new ApiKeyRepository(parts.database.store);
  }

  start(): void {
    this.timer = setInterval(() => void this.storeUses(), STORE_USES_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.storeUses();
  }

  /** The owner's keys that are not revoked, newest first; expired ones are among them. */
  list(owner: UserId): Promise<ApiKey[]> {
    return this.repository.ofOwner(owner);
  }

  /**
   * Creates a key and notifies its owner. Returns the shared secret, which is shown once; empty for a key with a public
   * key. Refuses when the account has too many keys, an expiry that has passed, or a public key that is not Ed25519.
   * Stores the answer without the secret for repetitions of the submission.
   */
  async create(
    owner: UserId,
    fields: NewKey,
    { caller, submission }: SecurityContext & { readonly submission: Submission | undefined },
  ): Promise<{ apiKey: ApiKey; secret: string }> {
    const { database, identity, messages, mostKeys, secret: serverSecret } = this.parts;
    const { apiKey, secret, publicKey } = this.newKey(owner, fields);
    const { id, name, createdAt } = apiKey;
    const sealedSecret =
      secret === '' ? undefined : serverSecret.encrypt(SEAL_PURPOSE, Buffer.from(secret), aboutKey(apiKey));
    const expired = await database.transaction(async (tx) => {
      const count = await this.repository.lockAndCount(tx, owner, createdAt);
      if (count >= mostKeys)
        throw new Refused(refusal('aboveMaximum', 'l.api_keys_max', { limit: String(mostKeys) }));
      const revoked = await this.repository.revokeLongExpired(tx, owner, createdAt);
      await this.repository.insert(tx, { apiKey, sealedSecret, publicKey });
      if (submission !== undefined)
        await storeFirstAnswer(tx, submission, { answer: presentKey(apiKey), at: createdAt });
      const detail = JSON.stringify({ key: id, name });
      await identity.writeSecurityEvent(
        tx,
        { userId: owner, kind: 'apiKeyCreated', caller, detail },
        createdAt,
      );
      const parameters = { name, time: timeText(createdAt) };
      await messages.send(tx, [
        { userId: owner, message: { type: 'system', kind: 'apiKeyCreated', parameters }, about: id },
      ]);
      return revoked;
    });
    await this.forgetRequests(expired);
    await messages.announce(owner);
    return { apiKey, secret };
  }

  /** A key from an owner's fields with a new id, public half and secret; nothing is stored. Refuses as `create` does. */
  private newKey(
    owner: UserId,
    { name, mayTrade, addresses, expiresAt, publicKey: sentPublicKey }: NewKey,
  ): { readonly apiKey: ApiKey; readonly secret: string; readonly publicKey: string | undefined } {
    const { clock, random } = this.parts;
    const createdAt = clock.now();
    if (expiresAt !== undefined && expiresAt <= createdAt)
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'expireTime' }));
    const publicKey = sentPublicKey === undefined ? undefined : requireEd25519(sentPublicKey);
    const apiKey: ApiKey = {
      id: newId(random, createdAt),
      owner,
      name,
      key: randomText(random, KEY_ALPHABET, KEY_LENGTH),
      kind: publicKey === undefined ? 'hmac' : 'ed25519',
      mayTrade,
      addresses,
      createdAt,
      expiresAt,
      lastUsedAt: undefined,
      lastUsedAddress: '',
    };
    const secret = publicKey === undefined ? randomText(random, KEY_ALPHABET, KEY_LENGTH) : '';
    return { apiKey, secret, publicKey };
  }

  /**
   * The shared secret for a repetition of the request that created the key, because the first answer may have been
   * lost. Empty ten minutes after the creation, for a revoked key, and for one with a public key.
   */
  async secretForRepetition(owner: UserId, id: string): Promise<string> {
    const { clock, secret } = this.parts;
    const stored = await this.repository.findOwn(owner, id);
    if (stored?.sealedSecret === undefined) return '';
    const { apiKey, sealedSecret } = stored;
    if (clock.now() - apiKey.createdAt > SECRET_REPEATED_MS) return '';
    return secret.decrypt(SEAL_PURPOSE, sealedSecret, aboutKey(apiKey)).toString();
  }

  /**
   * Revokes one key, or all of the owner's if `id` is undefined, effective at once. Returns the number of revoked keys.
   * An unknown id is refused with `l.not_found`.
   */
  async revoke(owner: UserId, id: string | undefined, { caller, reason }: SecurityContext): Promise<number> {
    const { clock, database, identity } = this.parts;
    const now = clock.now();
    const revoked = await database.transaction(async (tx) => {
      const keys = await this.repository.revoke(tx, owner, id, now);
      for (const { id: key, name } of keys) {
        const detail = JSON.stringify({ key, name, reason });
        await identity.writeSecurityEvent(tx, { userId: owner, kind: 'apiKeyRevoked', caller, detail }, now);
      }
      return keys;
    });
    for (const { key } of revoked) this.loaded.delete(key);
    await this.forgetRequests(revoked.map(({ id: revokedId }) => revokedId));
    if (id !== undefined && revoked.length === 0) throw new Refused(refusal('generic', 'l.not_found'));
    return revoked.length;
  }

  /**
   * The last requests of one of the owner's keys, newest first, and the request weight that it used within the last
   * minute. An unknown id is refused with `l.not_found`.
   */
  async requests(
    owner: UserId,
    id: string,
    page: AskedPage,
  ): Promise<{ readonly page: ListPage<StoredRequest>; readonly usedWeight: number }> {
    if ((await this.repository.findOwn(owner, id)) === undefined)
      throw new Refused(refusal('generic', 'l.not_found'));
    const { requests } = this.parts;
    return { page: await requests.page(id, rowsOfPage(page)), usedWeight: requests.usedWeight(id) };
  }

  /** Removes the recorded requests of revoked keys; the keys are revoked even if this fails. */
  private async forgetRequests(ids: readonly string[]): Promise<void> {
    try {
      await this.parts.requests.forget(ids);
    } catch (cause) {
      this.parts.log.error('api_keys.requests_not_removed', { count: ids.length, cause });
    }
  }

  /** The key with this public half; undefined for an unknown, malformed or revoked one, and while its account is frozen. */
  async find(key: string): Promise<ApiKey | undefined> {
    const loaded = await this.load(key);
    if (loaded === undefined) return undefined;
    const status = await this.parts.identity.prepare(loaded.apiKey.owner);
    return status?.frozen === false ? loaded.apiKey : undefined;
  }

  /**
   * Whether `signature` is that of the key over one of the texts. A shared secret signs with HMAC-SHA-256 in
   * hexadecimal digits of either case, a key pair with Ed25519 in base64. Compares in constant time.
   */
  async isSignedBy(key: string, texts: readonly string[], signature: string): Promise<boolean> {
    const loaded = await this.load(key);
    if (loaded === undefined) return false;
    const { verifier } = loaded;
    return texts.some((text) =>
      Buffer.isBuffer(verifier)
        ? isHmacOf(verifier, text, signature)
        : verify(null, Buffer.from(text), verifier, Buffer.from(signature, 'base64')),
    );
  }

  /**
   * Whether the key may be used for an action from an address now. A permitted use is recorded, and the owner is
   * notified of the first use from each address.
   */
  permit(apiKey: ApiKey, action: KeyAction, sentAddress: string): boolean {
    const now = this.parts.clock.now();
    const address = canonicalAddress(sentAddress);
    if (!isPermitted(apiKey, action, address, now)) return false;
    this.uses.set(apiKey.id, { id: apiKey.id, at: now, address });
    const place = `${apiKey.id} ${address}`;
    if (!this.seen.has(place)) {
      if (this.seen.size >= KEYS_LOADED_MAX) this.seen.clear();
      this.seen.add(place);
      void this.reportAddress(apiKey, address, now);
    }
    return true;
  }

  private async reportAddress({ id, owner, name }: ApiKey, address: string, now: Instant): Promise<void> {
    const { database, messages, log } = this.parts;
    try {
      const isNew = await database.transaction(async (tx) => {
        if (!(await this.repository.rememberAddress(tx, id, address, now))) return false;
        const parameters = { name, address, time: timeText(now) };
        await messages.send(tx, [
          { userId: owner, message: { type: 'system', kind: 'apiKeyNewAddress', parameters } },
        ]);
        return true;
      });
      if (isNew) await messages.announce(owner);
    } catch (cause) {
      this.seen.delete(`${id} ${address}`);
      log.error('api_keys.address_not_reported', { key: id, cause });
    }
  }

  private async load(key: string): Promise<LoadedKey | undefined> {
    if (!isKeyFormat(key)) return undefined;
    const nowMs = this.parts.clock.monotonicMs();
    const known = this.loaded.get(key);
    if (known !== undefined && nowMs - known.loadedMs < RELOAD_AFTER_MS) return known;
    const stored = await this.repository.find(key);
    this.loaded.delete(key);
    if (stored === undefined) return undefined;
    if (this.loaded.size >= KEYS_LOADED_MAX) this.loaded.clear();
    const loaded = { apiKey: stored.apiKey, verifier: this.verifierOf(stored), loadedMs: nowMs };
    this.loaded.set(key, loaded);
    return loaded;
  }

  private verifierOf({ apiKey, sealedSecret, publicKey }: StoredKey): Buffer | KeyObject {
    if (publicKey !== undefined) return createPublicKey(publicKey);
    return this.parts.secret.decrypt(SEAL_PURPOSE, sealedSecret!, aboutKey(apiKey));
  }

  private async storeUses(): Promise<void> {
    const uses = [...this.uses.values()];
    if (uses.length === 0) return;
    this.uses.clear();
    try {
      await this.repository.storeUses(uses);
    } catch (cause) {
      // The next run stores newer uses; a lost one only makes the shown time older.
      this.parts.log.error('api_keys.uses_not_stored', { count: uses.length, cause });
    }
  }
}

/** Binds an encrypted secret to its key and owner. */
function aboutKey({ id, owner }: ApiKey): string {
  return `api key ${id} of ${owner}`;
}

function isHmacOf(secret: Buffer, text: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The PEM in its canonical form. Refuses anything that is not the public half of an Ed25519 key pair. */
function requireEd25519(pem: string): string {
  try {
    const key = createPublicKey(pem);
    if (key.type === 'public' && key.asymmetricKeyType === 'ed25519' && !pem.includes('PRIVATE'))
      return key.export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    // Answered like a key of another kind.
  }
  throw new Refused(refusal('invalidField', 'l.api_key_public', { field: 'publicKey' }));
}

/**
 * The addresses of a list separated by commas, spaces or lines, in their canonical form. Refuses what is no IP address,
 * and more than `most`.
 */
export function requireAddresses(text: string, most: number): string[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const wrong = parts.find((part) => !ipaddr.IPv4.isValidFourPartDecimal(part) && !ipaddr.IPv6.isValid(part));
  if (wrong !== undefined)
    throw new Refused(refusal('invalidField', 'l.api_key_address', { field: 'addresses', value: wrong }));
  const addresses = [...new Set(parts.map(canonicalAddress))];
  if (addresses.length > most)
    throw new Refused(
      refusal('aboveMaximum', 'l.api_key_addresses_max', { field: 'addresses', limit: String(most) }),
    );
  return addresses;
}

/** An address in the one form in which addresses are compared; other text unchanged. */
function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** An instant from a field in milliseconds, where 0 and nothing mean none. */
export function optionalInstant(ms: number | undefined): Instant | undefined {
  return ms === undefined || ms === 0 ? undefined : instant(ms);
}
