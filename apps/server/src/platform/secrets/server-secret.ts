import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FILE_NAME = 'secret.key';
const BYTES = 32;

/**
 * The key that lives outside the database: whoever steals a copy of the tables still cannot try
 * passwords or codes against them. Every purpose works with a key of its own, derived from it.
 */
export class ServerSecret {
  private readonly root: Buffer;
  private readonly keys = new Map<string, Buffer>();

  constructor(root: Buffer) {
    if (root.length !== BYTES)
      throw new RangeError(`the server secret has ${BYTES} bytes, not ${root.length}`);
    this.root = root;
  }

  /** HMAC-SHA-256 of the parts under the purpose's key; where one part ends is part of what is signed. */
  seal(purpose: string, ...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.key(purpose));
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }

  /** Tells this secret from others, e.g. in the database; nothing can be made from it. */
  get fingerprint(): string {
    return this.key('fingerprint').toString('hex');
  }

  /** 32 bytes that only this purpose uses. */
  key(purpose: string): Buffer {
    const known = this.keys.get(purpose);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', this.root, '', `exchange/${purpose}`, BYTES));
    this.keys.set(purpose, key);
    return key;
  }
}

/** Whether two digests are the same, in a time that does not tell where they differ. */
export function sameDigest(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface SecretOptions {
  /** 64 hex digits from the environment; wins over the file. */
  readonly given?: string | undefined;
  readonly dataDirectory: string;
  /** True where the data need the secret of an earlier start: then none is made. */
  readonly mustExist?: boolean;
}

/**
 * Reads the server's secret, or makes it on the first start: `secret.key` (0600) in the data directory.
 * Throws when a given secret or the file is not 64 hex digits, when others can read the file, or when there is
 * none and there must be one.
 */
export async function openServerSecret(options: SecretOptions): Promise<ServerSecret> {
  if (options.given !== undefined) return new ServerSecret(parse(options.given, 'SERVER_SECRET'));
  const path = join(options.dataDirectory, FILE_NAME);
  const found = await readIfThere(path);
  if (found === undefined && options.mustExist === true) {
    throw new Error(
      `this database was opened with a server secret that is not here, without which nobody can sign in: set ` +
        `SERVER_SECRET to it, or put its ${FILE_NAME} into ${options.dataDirectory}`,
    );
  }
  const text = found ?? (await create(options.dataDirectory, path));
  await checkPrivate(path);
  return new ServerSecret(parse(text, path));
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // first start
    throw error;
  }
}

/** Complete and on disk before it has its name, and never in place of one that another process made. */
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
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // else: made at the same moment
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}

async function checkPrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return; // access is a matter of the folder's list there
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
