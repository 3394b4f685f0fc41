import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FILE_NAME = 'secret.key';
const BYTES = 32;

/**
 * A secret stored outside the database, so that a stolen copy of the tables does not allow guessing passwords
 * or codes. Every purpose uses its own key derived from it.
 */
export class ServerSecret {
  private readonly root: Buffer;
  private readonly keys = new Map<string, Buffer>();

  constructor(root: Buffer) {
    if (root.length !== BYTES)
      throw new RangeError(`the server secret has ${BYTES} bytes, not ${root.length}`);
    this.root = root;
  }

  /** HMAC-SHA-256 of the parts with the purpose's key; the lengths of the parts are included. */
  seal(purpose: string, ...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.key(purpose));
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }

  /** Identifies this secret, e.g. in the database; it cannot be used to derive keys. */
  get fingerprint(): string {
    return this.key('fingerprint').toString('hex');
  }

  /** Returns the 32-byte key of a purpose. */
  key(purpose: string): Buffer {
    const existing = this.keys.get(purpose);
    if (existing !== undefined) return existing;
    const key = Buffer.from(hkdfSync('sha256', this.root, '', `exchange/${purpose}`, BYTES));
    this.keys.set(purpose, key);
    return key;
  }
}

/** Compares two digests in constant time. */
export function sameDigest(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface SecretOptions {
  /** 64 hex digits from the environment; takes precedence over the file. */
  readonly configuredSecret?: string | undefined;
  readonly dataDirectory: string;
  /** Set when existing data need an earlier secret: then no new secret is created. */
  readonly mustExist?: boolean;
}

/**
 * Reads the server's secret, or creates it at the first start as `secret.key` (mode 0600) in the data
 * directory. Throws when the secret is not 64 hex digits, when other users can read the file, or when a
 * required secret is missing.
 */
export async function openServerSecret(options: SecretOptions): Promise<ServerSecret> {
  if (options.configuredSecret !== undefined)
    return new ServerSecret(parse(options.configuredSecret, 'SERVER_SECRET'));
  const path = join(options.dataDirectory, FILE_NAME);
  const stored = await readIfThere(path);
  if (stored === undefined && options.mustExist === true) {
    throw new Error(
      `this database was opened with a server secret that is not here, without which nobody can sign in: set ` +
        `SERVER_SECRET to it, or put its ${FILE_NAME} into ${options.dataDirectory}`,
    );
  }
  const text = stored ?? (await create(options.dataDirectory, path));
  await checkPrivate(path);
  return new ServerSecret(parse(text, path));
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // no secret exists before the first start
    throw error;
  }
}

/**
 * Creates the file completely under a draft name and then links it, so that a file created by another process
 * is never overwritten.
 */
async function create(directory: string, path: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(BYTES).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // otherwise another process has created the file at the same time
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}

async function checkPrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return; // permissions on Windows are managed by access control lists
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by others: chmod 600 it, and replace it if it may have leaked`);
  }
}

function parse(text: string, origin: string): Buffer {
  const hex = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw new Error(`${origin} is not 64 hex digits`);
  return Buffer.from(hex, 'hex');
}
