import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sameDigest } from '../secrets/server-secret.ts';

const FILE_NAME = 'operator-token';
const BYTES = 24;
export const TOKEN_LENGTH_MIN = 24;

interface Settings {
  readonly mode: 'demo' | 'live';
  readonly dataDirectory: string;
  readonly operatorToken: string | undefined;
}

/** Where a demo keeps the token it has made; undefined where the token is set, or there is none. */
export function operatorTokenFile({ mode, dataDirectory, operatorToken }: Settings): string | undefined {
  return mode === 'demo' && operatorToken === undefined ? join(dataDirectory, FILE_NAME) : undefined;
}

/**
 * The operator's token: as set, or in a demo one that is made at the first start and kept in the data
 * folder (0600). Undefined in live mode without the setting: then there is no operator. Throws when the
 * kept file is too short to be a token.
 */
export async function openOperatorToken(settings: Settings): Promise<string | undefined> {
  const path = operatorTokenFile(settings);
  if (path === undefined) return settings.operatorToken;
  await mkdir(settings.dataDirectory, { recursive: true });
  try {
    await writeFile(path, `${randomBytes(BYTES).toString('hex')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // else: made at an earlier start
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (token.length < TOKEN_LENGTH_MIN) throw new Error(`${path} is damaged: delete it and start again`);
  return token;
}

/** Whether an `Authorization` header carries the token, in a time that does not tell how much of it is right. */
export function carriesToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';
  return sameDigest(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
