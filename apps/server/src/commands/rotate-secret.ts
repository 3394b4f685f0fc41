/**
 * `npm run rotate-secret`: replaces the server's secret in two runs. The first run adds a new secret; all servers must
 * then be restarted to use it. The second run encrypts all stored values with the new secret while the
 * exchange runs, and then removes the old secret; it fails, and the old secret stays, if a value cannot be
 * decrypted. Each run can be stopped and repeated. For 24 hours after a server first started with
 * the new secret, a further run changes nothing once the rotation has ended, unless it has the option `--again`.
 */
import pg from 'pg';
import { instant } from '@exchange/core/time.ts';
import { systemClock } from '../platform/clock.ts';
import { clientOptions, type DatabaseConnection } from '../platform/database/pool.ts';
import { timeText } from '../platform/time-text.ts';
import { openServerSecret, replaceSecretFile } from '../platform/secrets/server-secret.ts';
import { signingKeyOf } from '../platform/secrets/signing-key.ts';
import { readOpenedAs } from '../platform/database/opened-as.ts';
import { fileStoreOf } from '../resources.ts';
import { SealedStore } from '../platform/files/sealed-store.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, say } from './backup/own-database.ts';
import { recentRotation, reencryptAll } from './rotate/reencrypt.ts';

/** Option that starts another rotation although the signing key was replaced less than 24 hours ago. */
const AGAIN = '--again';

await commandLine(async () => {
  await onOwnDatabase(async (connection, config) => {
    const { dataDirectory, serverSecret } = config;
    const secret = await openServerSecret({ configuredSecret: serverSecret, dataDirectory, mustExist: true });
    const { secretFingerprint } = await readOpenedAs(connection);
    const storeText = async (text: string) => {
      if (serverSecret === undefined) {
        await replaceSecretFile(dataDirectory, text);
        say(
          `secret.key in ${dataDirectory} was replaced. Store a copy apart from the backups of the database.`,
        );
      } else say(`Set SERVER_SECRET of every server to:\n${text.trim().split('\n').join(',')}`);
    };
    if (secret.retiring === undefined) {
      if (secretFingerprint !== secret.fingerprint)
        throw new Error('this database was opened with another server secret: nothing was changed');
      const rotatedAt = await onClient(connection, (client) => recentRotation(client, systemClock.now()));
      if (rotatedAt !== undefined && !process.argv.includes(AGAIN)) {
        say(
          `The secret was replaced on ${timeText(instant(rotatedAt))}, and the old one is retired. To replace it again: npm run rotate-secret -- ${AGAIN}`,
        );
        return;
      }
      await storeText(secret.rotated());
      say('A new secret was added. Restart every server with it, then run this command again.');
      return;
    }
    await onClient(connection, async (client) => {
      const { rowCount } = await client.query('select 1 from signing_key where id = $1', [
        signingKeyOf(secret).id,
      ]);
      if (secretFingerprint !== secret.fingerprint || rowCount === 0)
        throw new Error('no server has started with the new secret: restart every server, then repeat this');
      const { count, failures, failureCount } = await reencryptAll({
        client,
        secret,
        files: new SealedStore(fileStoreOf(config), secret),
        onProgress: (part, done) => say(`${part}: ${done} encrypted again`),
      });
      for (const failure of failures) say(failure);
      if (failureCount > 0)
        throw new Error(
          `${count} values were encrypted again; ${failureCount} cannot be read, so the old secret stays`,
        );
      say(`${count} values were encrypted again, and none needs the old secret.`);
    });
    await storeText(secret.withoutRetiring());
    say(
      'The old secret is retired. Restart every server, and keep the old secret with the backups made before.',
    );
  });
});

async function onClient<T>(
  connection: DatabaseConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...clientOptions(connection, 'rotate-secret'), statement_timeout: 0 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
