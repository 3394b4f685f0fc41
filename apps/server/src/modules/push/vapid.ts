import { createECDH } from 'node:crypto';
import type { Instant } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { PushTables } from './tables.ts';

/** The key pair by which push services recognize this exchange (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const ID = 'vapid';
const PURPOSE = 'push';
const CURVE = 'prime256v1';
const PRIVATE_BYTES = 32;

/**
 * The server's key pair for push services. It is created at the first use and stored in the database, with the private
 * key encrypted by the server's secret. Browsers subscribe with the public key, so a new pair would end all
 * subscriptions.
 */
export async function vapidKeys(
  { store }: Pick<Database, 'store'>,
  secret: ServerSecret,
  now: Instant,
): Promise<VapidKeys> {
  const db = store.withTables<PushTables>();
  const stored = () => db.selectFrom('push_key').selectAll().where('id', '=', ID).executeTakeFirst();
  let row = await stored();
  if (row === undefined) {
    const keys = newKeys();
    await db
      .insertInto('push_key')
      .values({
        id: ID,
        public_key: keys.publicKey,
        sealed_private_key: secret.encrypt(PURPOSE, Buffer.from(keys.privateKey, 'base64url'), ID),
        created_at: BigInt(now),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    row = await stored();
  }
  if (row === undefined) throw new Error('the key of pushes was not stored');
  const privateKey = secret.decrypt(PURPOSE, row.sealed_private_key, ID).toString('base64url');
  return { publicKey: row.public_key, privateKey };
}

function newKeys(): VapidKeys {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  const privateKey = pair.getPrivateKey();
  // `privateKey` lacks leading zero bytes, but the format has a fixed length, so they are added.
  const padded = Buffer.concat([Buffer.alloc(PRIVATE_BYTES - privateKey.length), privateKey]);
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: padded.toString('base64url'),
  };
}
