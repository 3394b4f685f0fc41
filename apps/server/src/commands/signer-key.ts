/**
 * `npm run signer-key`: prints the key for `SIGNER_DIGEST_FILE`. With this key a signer verifies that the owner
 * confirmed a payment, or that two operators approved it. The key is derived from the server's secret, which must
 * exist. A rotation of the secret does not change the key.
 */
import { readOwnConfig } from '../config.ts';
import { rootDirectory } from '../platform/root-directory.ts';
import { openServerSecret } from '../platform/secrets/server-secret.ts';
import { DIGEST_PURPOSE } from '../platform/signer/protocol.ts';
import { commandLine } from './backup/command-line.ts';

await commandLine(async () => {
  const config = readOwnConfig(rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  const { serverSecret, dataDirectory } = config.value;
  const secret = await openServerSecret({ configuredSecret: serverSecret, dataDirectory, mustExist: true });
  process.stdout.write(`${secret.key(DIGEST_PURPOSE).toString('hex')}\n`);
});
