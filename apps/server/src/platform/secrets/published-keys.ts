import { sql } from 'kysely';
import type { Store, Reader } from '../database/database.ts';
import type { ServerSecret } from './server-secret.ts';
import { handOver, signingKeyOf, type PublishedKey } from './signing-key.ts';

/** Maximum number of signing keys that are read. Each rotation adds one key. */
const KEYS_MAX = 100;

interface KeyRow {
  readonly id: string;
  readonly public_key: string;
  readonly replaces: string | null;
  readonly at: bigint;
  readonly signature: string | null;
  readonly countersignature: string | null;
}

/** Reads the signing keys that are published in the database, newest first, at most `KEYS_MAX`. */
export async function publishedKeys(reader: Reader): Promise<PublishedKey[]> {
  const { rows } = await sql<KeyRow>`
    select id, public_key, replaces, at, signature, countersignature from signing_key
    order by number desc limit ${KEYS_MAX}
  `.execute(reader);
  return rows.map(({ id, public_key: publicKey, replaces, at, signature, countersignature }) => ({
    id,
    publicKey,
    handover:
      replaces === null
        ? undefined
        : { from: replaces, at: Number(at), signature: signature!, countersignature: countersignature! },
  }));
}

/**
 * Publishes the signing key that is derived from a server secret. Call this before anything is signed with the key.
 * During a rotation, the retiring secret's key signs the handover, and is published as well if no key is published yet.
 * `at` is in milliseconds UTC. Does nothing if the secret's key is already published.
 */
export async function publishSigningKey(store: Store, secret: ServerSecret, at: number): Promise<void> {
  const key = signingKeyOf(secret);
  const published = await publishedKeys(store);
  if (published.some(({ id }) => id === key.id)) return;
  if (secret.retiring !== undefined && published.length === 0)
    await publishSigningKey(store, secret.retiring, at);
  const handover = secret.retiring && handOver(signingKeyOf(secret.retiring), key, at);
  await sql`
    insert into signing_key (id, public_key, replaces, at, signature, countersignature)
    values (${key.id}, ${key.publicKey}, ${handover?.from ?? null}, ${at},
      ${handover?.signature ?? null}, ${handover?.countersignature ?? null})
    on conflict (id) do nothing
  `.execute(store);
}
