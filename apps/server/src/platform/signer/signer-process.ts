import { mkdirSync, readFileSync } from 'node:fs';
import { Wallet } from 'ethers';
import { systemClock } from '../clock.ts';
import { readSecret } from './client.ts';
import type { SignerParts } from './line-signer.ts';
import { readDigestKey, readSignerTls } from './settings.ts';

/**
 * Common parts of all signer commands: settings from the environment, key files, and the orderly end of the process.
 */

const { env } = process;
const SAME_WARNING_MS = 10_000;
let lastWarning: { readonly line: string; readonly at: number } = { line: '', at: 0 };

/**
 * Returns the value of a required setting in the environment, without surrounding spaces. Throws if the
 * setting is missing or empty.
 */
export function requiredSetting(name: string): string {
  const value = env[name]?.trim();
  if (value === undefined || value === '') throw new Error(`${name} must be set`);
  return value;
}

/**
 * Decrypts the wallet in the file whose path the environment variable `setting` contains, with the password
 * in the file at `SIGNER_PASSWORD_FILE`.
 */
export function readKeystore(setting: string): ReturnType<typeof Wallet.fromEncryptedJson> {
  const password = readFileSync(requiredSetting('SIGNER_PASSWORD_FILE'), 'utf8').replace(/\r?\n$/, '');
  return Wallet.fromEncryptedJson(readFileSync(requiredSetting(setting), 'utf8'), password);
}

/**
 * Returns the folder of the signer's journal from the setting `SIGNER_FOLDER`, and creates it if it does not
 * exist.
 */
export function journalFolder(): string {
  const folder = requiredSetting('SIGNER_FOLDER');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Returns the parts that all signers have in common: clock, secrets, certificate files and warnings. Throws
 * if a required setting is missing or invalid.
 */
export function signerParts(): SignerParts {
  return {
    now: () => systemClock.now(),
    secret: readSecret(requiredSetting('SIGNER_SECRET_FILE')),
    digestKey: readDigestKey(requiredSetting('SIGNER_DIGEST_FILE')),
    tls: readSignerTls(requiredSetting('SIGNER_PLACE'), env),
    warn,
  };
}

/**
 * Listens at `SIGNER_PLACE` and prints `greeting`. SIGTERM or SIGINT closes the signer and its journal and ends the
 * process.
 */
export async function runSigner(
  signer: { listen(place: string): Promise<void>; close(): Promise<void> },
  journal: { close(): void },
  greeting: (place: string) => string,
): Promise<void> {
  const place = requiredSetting('SIGNER_PLACE');
  await signer.listen(place);
  process.stdout.write(`${greeting(place)}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void signer.close().then(() => {
        journal.close();
        process.exit(0);
      });
    });
}

/** Prints a warning. A warning that equals the previous one is printed at most once in ten seconds. */
function warn(line: string): void {
  const now = systemClock.now();
  if (line === lastWarning.line && now - lastWarning.at < SAME_WARNING_MS) return;
  lastWarning = { line, at: now };
  process.stderr.write(`${line}\n`);
}
