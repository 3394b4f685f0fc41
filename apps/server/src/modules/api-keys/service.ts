import { createHmac, createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import { instant, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { rowsOfPage, type AskedPage, type ListPage } from '../../platform/database/paged-rows.ts';
import type { Caller } from '../../platform/http/route.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
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
import type { RequestRing, StoredRequest } from './request-repository.ts';
import { ApiKeyRepository, type StoredKey } from './repository.ts';

export interface ApiKeyParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly identity: Pick<Identity, 'personOf' | 'prepare' | 'requireOwner' | 'writeSecurityEvent'>;
  readonly messages: Messages;
  readonly requests: Pick<RequestLog, 'forget' | 'page' | 'unprovenCount' | 'usedWeight'>;
  /** Greatest number of an account's API keys that are neither revoked nor expired. */
  readonly mostKeys: number;
}

/** The properties of an API key that is to be created. */
export interface NewKey {
  readonly name: string;
  readonly mayTrade: boolean;
  /**
   * True if the API key may move balances among its owner's main account and sub-accounts; only keys of a main account
   * may.
   */
  readonly mayTransfer: boolean;
  /**
   * Value in USDT that the API key may withdraw in any 24 hours; undefined for a key that may not withdraw.
   * Only keys of main accounts with an IP address list may withdraw.
   */
  readonly withdrawalLimit: Decimal | undefined;
  readonly addresses: readonly string[];
  readonly expiresAt: Instant | undefined;
  /** PEM of the owner's Ed25519 public key; undefined for an API key with a shared secret. */
  readonly publicKey: string | undefined;
}

/**
 * Data of the request that creates or revokes an API key, recorded in the security log of the owner; for a key of a
 * sub-account, in the security log of its main account.
 */
interface SecurityContext {
  readonly caller: Pick<Caller, 'address' | 'userAgent'>;
  /**
   * One text with the name of the operator who revokes an API key and the operator's reason (`NAME: REASON`);
   * undefined when the owner creates or revokes the key.
   */
  readonly reason?: string;
}

/** An API key in the memory cache, with the data for verifying signatures. */
interface LoadedKey {
  readonly apiKey: ApiKey;
  /** What signatures are verified with: the shared secret as bytes, or the public key. */
  readonly verifier: Buffer | KeyObject;
  /** Monotonic time in milliseconds at which the API key was read from the database. */
  readonly loadedMs: number;
}

const SEAL_PURPOSE = 'api secrets';
/**
 * Milliseconds after the creation of an API key during which a repetition of the creating request returns the secret
 * again.
 */
const SECRET_REPEATED_MS = 10 * MINUTE_MS;
const STORE_USES_EVERY_MS = 30_000;
/**
 * Milliseconds after which a cached API key is read from the database again. After this time at the latest, a key that
 * another process revoked is refused.
 */
const RELOAD_AFTER_MS = 60_000;
const KEYS_LOADED_MAX = 10_000;
/** Greatest number of IP addresses whose canonical form is cached. */
const ADDRESSES_KNOWN_MAX = 10_000;

/**
 * The API keys of all users. Owners create and revoke them; the module `public-api` looks up a key and verifies a
 * signature for every request of a program. Shared secrets are stored encrypted instead of hashed, because HMAC needs
 * the secret itself.
 */
export class ApiKeys {
  private readonly parts: ApiKeyParts;
  private readonly repository: ApiKeyRepository;
  private readonly loaded = new Map<string, LoadedKey>();
  /**
   * Canonical forms of IP addresses, by the text that was sent. They are cached because parsing an address takes longer
   * than all other checks of an API key.
   */
  private readonly canonicalAddresses = new Map<string, string>();
  /** The last use of each API key that is not stored in the database yet, by id of the key. */
  private readonly uses = new Map<string, { id: string; at: Instant; address: string }>();
  /**
   * Pairs of an API key's id and an IP address that this process has already passed to `reportAddress`, so that not
   * every request of a program does so. A pair whose report failed is removed; all are removed when there are
   * `KEYS_LOADED_MAX`.
   */
  private readonly seen = new Set<string>();
  private readonly stores = new PeriodicTask(() => this.storeUses(), { everyMs: STORE_USES_EVERY_MS });

  constructor(parts: ApiKeyParts) {
    this.parts = parts;
    this.repository = new ApiKeyRepository(parts.database.store);
  }

  start(): void {
    this.stores.start();
  }

  async stop(): Promise<void> {
    await this.stores.stop();
    await this.storeUses();
  }

  /**
   * Returns the account whose API keys a user manages: the user's own account if `subAccount` is undefined or
   * the user's id, or the user's sub-account with this id, also an archived one. Refuses any other id with
   * `l.not_found`.
   */
  requireOwner(user: UserId, subAccount: string | undefined): Promise<UserId> {
    return this.parts.identity.requireOwner(user, subAccount);
  }

  /**
   * Returns the owner's API keys, newest first, including expired keys but without revoked ones. A key's last
   * use in this process is included at once, one in another process after up to 30 seconds.
   */
  async list(owner: UserId): Promise<ApiKey[]> {
    const keys = await this.repository.ofOwner(owner);
    return keys.map((apiKey) => this.withLastUse(apiKey));
  }

  private withLastUse(apiKey: ApiKey): ApiKey {
    const use = this.uses.get(apiKey.id);
    if (use === undefined) return apiKey;
    return { ...apiKey, lastUsedAt: use.at, lastUsedAddress: use.address };
  }

  /**
   * Creates an API key and sends an inbox message to its owner, or to the main account of a sub-account. Also
   * revokes the owner's expired keys except the 30 that expired last. Returns the key and its shared secret,
   * which is empty for an `ed25519` key. Within ten minutes a repetition of the request returns the secret
   * again, afterwards nothing does. Refuses with `l.sub_account_archived` for a sub-account that is archived
   * or whose main account is frozen, `l.sub_account_key` for a key of a sub-account that may transfer or
   * withdraw, `l.api_keys_max` when the account has too many keys, `l.field_invalid` for an expiry that is
   * not in the future, `l.api_key_public` for a public key that is not Ed25519, and
   * `l.api_key_withdraw_addresses` for a key that may withdraw without an IP address list. The answer is
   * stored without the secret, for repetitions of `submission`.
   */
  async create(
    owner: UserId,
    fields: NewKey,
    { caller, submission }: SecurityContext & { readonly submission: Submission | undefined },
  ): Promise<{ apiKey: ApiKey; secret: string }> {
    const { database, identity, messages, mostKeys, secret: serverSecret } = this.parts;
    const person = await this.requireNotArchived(owner, fields);
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
        { userId: person, kind: 'apiKeyCreated', caller, detail },
        createdAt,
      );
      const parameters = { name, time: timeText(createdAt) };
      await messages.send(tx, [
        { userId: person, message: { type: 'system', kind: 'apiKeyCreated', parameters }, about: id },
      ]);
      return revoked;
    });
    await this.forgetRequests(expired);
    await messages.announce(person);
    return { apiKey, secret };
  }

  /**
   * Returns the main account of a new API key's owner, which is the owner itself if it is no sub-account. Refuses a key
   * for a sub-account that is archived or whose main account is frozen, and a key for a sub-account that may transfer
   * or withdraw.
   */
  private async requireNotArchived(owner: UserId, { mayTransfer, withdrawalLimit }: NewKey): Promise<UserId> {
    const { identity } = this.parts;
    const person = await identity.personOf(owner);
    if (person === owner) return owner;
    if ((await identity.prepare(owner))?.frozen !== false)
      throw new Refused(refusal('closed', 'l.sub_account_archived'));
    if (mayTransfer || withdrawalLimit !== undefined)
      throw new Refused(refusal('invalidField', 'l.sub_account_key', { field: 'transfer' }));
    return person;
  }

  /**
   * Generates the id, public part and secret of a new API key. It stores nothing; it refuses invalid fields as `create`
   * does.
   */
  private newKey(
    owner: UserId,
    { name, mayTrade, mayTransfer, withdrawalLimit, addresses, expiresAt, publicKey: sentPublicKey }: NewKey,
  ): { readonly apiKey: ApiKey; readonly secret: string; readonly publicKey: string | undefined } {
    const { clock, random } = this.parts;
    const createdAt = clock.now();
    if (expiresAt !== undefined && expiresAt <= createdAt)
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'expireTime' }));
    if (withdrawalLimit !== undefined && addresses.length === 0)
      throw new Refused(refusal('invalidField', 'l.api_key_withdraw_addresses', { field: 'addresses' }));
    const publicKey = sentPublicKey === undefined ? undefined : requireEd25519(sentPublicKey);
    const apiKey: ApiKey = {
      id: newId(random, createdAt),
      owner,
      name,
      key: randomText(random, KEY_ALPHABET, KEY_LENGTH),
      kind: publicKey === undefined ? 'hmac' : 'ed25519',
      mayTrade,
      mayTransfer,
      withdrawalLimit,
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
   * Returns the shared secret again, for a repetition of the request that created the API key, whose first
   * answer may have been lost. Empty when the key was created more than ten minutes ago, is revoked, unknown
   * or another user's, or is an `ed25519` key.
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
   * Revokes the owner's API key `id`, or all keys of the owner if `id` is undefined, and returns the number
   * of revoked keys. This process refuses requests with the keys at once, other processes refuse them within
   * a minute. Records a security event for each key and removes the logged requests of the keys; refuses an
   * id that is unknown or already revoked with `l.not_found`.
   */
  async revoke(owner: UserId, id: string | undefined, { caller, reason }: SecurityContext): Promise<number> {
    const { clock, database, identity } = this.parts;
    const now = clock.now();
    const person = await identity.personOf(owner);
    const revoked = await database.transaction(async (tx) => {
      const keys = await this.repository.revoke(tx, owner, id, now);
      for (const { id: key, name } of keys) {
        const detail = JSON.stringify({ key, name, reason });
        await identity.writeSecurityEvent(tx, { userId: person, kind: 'apiKeyRevoked', caller, detail }, now);
      }
      return keys;
    });
    for (const { key } of revoked) this.loaded.delete(key);
    await this.forgetRequests(revoked.map(({ id: revokedId }) => revokedId));
    if (id !== undefined && revoked.length === 0) throw new Refused(refusal('generic', 'l.not_found'));
    return revoked.length;
  }

  /**
   * Returns a page of the latest requests of one of the owner's API keys in one log, newest first; the number of
   * unproven requests that named the key since its creation; and the request weight that the key used in this process
   * within the last minute. Refuses an unknown id, and one of a revoked key or of another user, with `l.not_found`.
   */
  async requests(
    owner: UserId,
    { id, ring }: { readonly id: string; readonly ring: RequestRing },
    page: AskedPage,
  ): Promise<{
    readonly page: ListPage<StoredRequest>;
    readonly unprovenCount: number;
    readonly usedWeight: number;
  }> {
    if ((await this.repository.findOwn(owner, id)) === undefined)
      throw new Refused(refusal('generic', 'l.not_found'));
    const { requests } = this.parts;
    return {
      page: await requests.page({ keyId: id, ring }, rowsOfPage(page)),
      unprovenCount: await requests.unprovenCount(id),
      usedWeight: requests.usedWeight(id),
    };
  }

  /** Removes the logged requests of the given API keys, which are already revoked; a failure is only logged. */
  private async forgetRequests(ids: readonly string[]): Promise<void> {
    try {
      await this.parts.requests.forget(ids);
    } catch (cause) {
      this.parts.log.error('api_keys.requests_not_removed', { count: ids.length, cause });
    }
  }

  /**
   * Returns the API key that a request names; undefined if the text is malformed, unknown or a revoked key,
   * and while the key's account or its main account is frozen. A key that another process revoked may still
   * be returned for a minute. An expired key is returned; `permit` refuses it.
   */
  async find(key: string): Promise<ApiKey | undefined> {
    const loaded = await this.load(key);
    if (loaded === undefined) return undefined;
    const status = await this.parts.identity.prepare(loaded.apiKey.owner);
    return status?.frozen === false ? loaded.apiKey : undefined;
  }

  /**
   * True if `signature` is the API key's signature of at least one of the given texts; false otherwise and for an
   * unknown key. The signature of an `hmac` key is HMAC-SHA-256 in hexadecimal digits of either case; that of an
   * `ed25519` key is Ed25519 in base64. HMACs are compared in constant time.
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
   * True if the API key permits the action from the IP address `sentAddress` now; then the use is recorded,
   * and `reportAddress` runs unless this process has already reported this address for the key. Otherwise
   * returns false and records nothing. The time from which a new key may withdraw (`withdrawsFrom`) is not
   * checked.
   */
  permit(apiKey: ApiKey, action: KeyAction, sentAddress: string): boolean {
    const now = this.parts.clock.now();
    const address = this.canonicalAddressOf(sentAddress);
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

  private canonicalAddressOf(sentAddress: string): string {
    const known = this.canonicalAddresses.get(sentAddress);
    if (known !== undefined) return known;
    if (this.canonicalAddresses.size >= ADDRESSES_KNOWN_MAX) this.canonicalAddresses.clear();
    const address = canonicalAddress(sentAddress);
    this.canonicalAddresses.set(sentAddress, address);
    return address;
  }

  /**
   * Stores an IP address from which an API key was used. If the address was not stored before and the key has
   * fewer than the greatest number of stored addresses, the owner of the key (for a sub-account, its main
   * account) receives an inbox message. A failure is logged, and the next use of the key from this address
   * repeats the attempt.
   */
  private async reportAddress({ id, owner, name }: ApiKey, address: string, now: Instant): Promise<void> {
    const { database, identity, messages, log } = this.parts;
    try {
      const person = await identity.personOf(owner);
      const isNew = await database.transaction(async (tx) => {
        if (!(await this.repository.rememberAddress(tx, id, address, now))) return false;
        const parameters = { name, address, time: timeText(now) };
        await messages.send(tx, [
          { userId: person, message: { type: 'system', kind: 'apiKeyNewAddress', parameters } },
        ]);
        return true;
      });
      if (isNew) await messages.announce(person);
    } catch (cause) {
      this.seen.delete(`${id} ${address}`);
      log.error('api_keys.address_not_reported', { id, cause });
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
      // A failure to store the last uses is only logged: until the key is used again, the API key list shows an older
      // last use.
      this.parts.log.error('api_keys.uses_not_stored', { count: uses.length, cause });
    }
  }
}

/**
 * Returns the additional authenticated data of an API key's encrypted secret; with it, the ciphertext is
 * valid only for this key and this owner.
 */
function aboutKey({ id, owner }: ApiKey): string {
  return `api key ${id} of ${owner}`;
}

function isHmacOf(secret: Buffer, text: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const received = Buffer.from(signature, 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/**
 * Checks a public Ed25519 key in PEM format and returns it in normalized form; refuses everything else. A private key
 * is refused too, although its public key could be derived from it: owners must not send private keys.
 */
function requireEd25519(pem: string): string {
  try {
    const key = createPublicKey(pem);
    if (key.type === 'public' && key.asymmetricKeyType === 'ed25519' && !pem.includes('PRIVATE'))
      return key.export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    // A text that is not PEM is refused with the same error as a key of another type.
  }
  throw new Refused(refusal('invalidField', 'l.api_key_public', { field: 'publicKey' }));
}

/**
 * Parses a list of IP addresses separated by commas, spaces or line breaks, and returns them in canonical form without
 * duplicates. Refuses with `l.api_key_address` for other text and with `l.api_key_addresses_max` for more than `most`.
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

/**
 * Returns the canonical form of an IP address, so that equal addresses have equal texts; other text is
 * returned unchanged.
 */
function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/**
 * Returns the time of an optional request field in milliseconds UTC; undefined if the field is missing or 0.
 */
export function optionalInstant(ms: number | undefined): Instant | undefined {
  return ms === undefined || ms === 0 ? undefined : instant(ms);
}
