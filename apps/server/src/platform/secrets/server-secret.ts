import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDraft, writeDurably } from '../files/durable-file.ts';
import { openBytes, SEALED_FORMAT, sealBytes } from './sealed-bytes.ts';

const FILE_NAME = 'secret.key';
/** Regular expression that matches the names of drafts of `secret.key`, which `writeDraft` creates. */
const DRAFT = /^secret\.key\.[0-9a-f]{8}$/;
const BYTES = 32;

/**
 * Purposes whose keys, derived from the server secret, stay the same when the secret is rotated. Otherwise ids of steps
 * would differ in a replay, and stored digests could not be compared without the original password, code or document.
 */
const LASTING_PURPOSES: readonly string[] = [
  'step ids',
  'password',
  'trade-password',
  'operator password',
  'operator browser',
  'recovery-code',
  'operator recovery code',
  'kyc-document',
  'kyc-near',
  'proof of liabilities',
  'withdrawal digest',
];
/** First byte of a ciphertext that contains the id of its key. Older ciphertexts have format 1. */
const KEYED_FORMAT = 2;
const KEY_ID_BYTES = 4;

/**
 * The contents of a server secret: its root key, during a rotation the root key that it replaces (`retiring`), and
 * derived keys of earlier roots that are still in use.
 */
export interface SecretRing {
  readonly root: Buffer;
  readonly retiring?: Buffer | undefined;
  /**
   * Keys of 32 bytes that were derived before the first rotation and outlive rotations, by purpose; empty before the
   * first rotation.
   */
  readonly lasting: ReadonlyMap<string, Buffer>;
}

/** Type of functions that derive a further key from the key of a purpose, for example one per file. */
type Subkey = (key: Buffer) => Buffer;

/**
 * A secret outside the database, so that a stolen copy of the tables does not allow guessing passwords or codes. Each
 * purpose has its own key, which is derived from the secret. During a rotation, ciphertexts of the retiring secret can
 * still be decrypted.
 */
export class ServerSecret {
  /** The earlier secret that this secret replaces during a rotation; otherwise undefined. */
  readonly retiring: ServerSecret | undefined;
  private readonly root: Buffer;
  private readonly lasting: ReadonlyMap<string, Buffer>;
  private readonly keys = new Map<string, Buffer>();

  /** `root` is the root key of the secret. Throws if it has not 32 bytes. */
  constructor(root: Buffer, { retiring, lasting = new Map() }: Partial<Omit<SecretRing, 'root'>> = {}) {
    if (root.length !== BYTES)
      throw new RangeError(`the server secret has ${BYTES} bytes, not ${root.length}`);
    this.root = root;
    this.lasting = lasting;
    this.retiring = retiring && new ServerSecret(retiring, { lasting });
  }

  /** Returns the HMAC-SHA-256 of the parts and their lengths, with the key of a purpose. */
  seal(purpose: string, ...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.key(purpose));
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }

  /**
   * Fingerprint that identifies this secret, e.g. in the database. The secret's keys cannot be derived from the
   * fingerprint.
   */
  get fingerprint(): string {
    return this.key('fingerprint').toString('hex');
  }

  /** The first four bytes of the secret's fingerprint, which identify it in ciphertexts. */
  get keyId(): Buffer {
    return this.key('fingerprint').subarray(0, KEY_ID_BYTES);
  }

  /** The first bytes of every ciphertext that `encrypt` returns with this secret: format and key id. */
  get ciphertextHead(): Buffer {
    return Buffer.concat([Buffer.of(KEYED_FORMAT), this.keyId]);
  }

  /**
   * Encrypts with AES-256-GCM and the key of a purpose, or the key that `subkey` derives from it. `about` is
   * authenticated and needed for decryption. The ciphertext begins with `ciphertextHead`.
   */
  encrypt(purpose: string, plain: Buffer, about: string, subkey: Subkey = (key) => key): Buffer {
    const sealed = sealBytes(subkey(this.key(purpose)), plain, about);
    return Buffer.concat([this.ciphertextHead, sealed.subarray(1)]);
  }

  /**
   * Decrypts the result of `encrypt`, also of the retiring secret or of a version without key ids. Throws if the
   * secret, `about` or any byte differs.
   */
  decrypt(purpose: string, sealed: Buffer, about: string, subkey: Subkey = (key) => key): Buffer {
    if (sealed[0] !== KEYED_FORMAT)
      // Ciphertexts without a key id were created before the first rotation. During that rotation they were encrypted
      // with the retiring secret; before it, with the only secret.
      return openBytes(subkey((this.retiring ?? this).key(purpose)), sealed, about);
    const keyId = sealed.subarray(1, 1 + KEY_ID_BYTES);
    const secret = [this, this.retiring].find((candidate) => candidate?.keyId.equals(keyId) === true);
    if (secret === undefined)
      throw new Error(`encrypted with the server secret ${keyId.toString('hex')}, which is not here`);
    const unkeyed = Buffer.concat([Buffer.of(SEALED_FORMAT), sealed.subarray(1 + KEY_ID_BYTES)]);
    return openBytes(subkey(secret.key(purpose)), unkeyed, about);
  }

  /**
   * Returns the 32-byte key of a purpose, derived from the secret's root key, or for a lasting purpose from the root
   * key before the first rotation.
   */
  key(purpose: string): Buffer {
    const existing = this.keys.get(purpose) ?? this.lasting.get(purpose);
    if (existing !== undefined) return existing;
    const key = Buffer.from(hkdfSync('sha256', this.root, '', `exchange/${purpose}`, BYTES));
    this.keys.set(purpose, key);
    return key;
  }

  /**
   * Returns the text of a new secret that retires this one; storing this text begins a rotation. Throws if the last
   * rotation has not ended.
   */
  rotated(): string {
    if (this.retiring !== undefined) throw new Error('the last rotation of the secret is not finished');
    return ringText({
      root: randomBytes(BYTES),
      retiring: this.root,
      lasting: new Map(LASTING_PURPOSES.map((purpose) => [purpose, this.key(purpose)])),
    });
  }

  /** Returns the text of this secret without the retiring one; storing this text ends the rotation. */
  withoutRetiring(): string {
    return ringText({ root: this.root, lasting: this.lasting });
  }
}

/**
 * Returns the text of a server secret. It has one key in hex per line: the root, then `retiring:key` during a
 * rotation, then `purpose:key` for each key that outlives rotations, with `_` for spaces in the purpose.
 */
function ringText({ root, retiring, lasting }: SecretRing): string {
  const lines = [root.toString('hex')];
  if (retiring !== undefined) lines.push(`retiring:${retiring.toString('hex')}`);
  for (const [purpose, key] of lasting) lines.push(`${purpose.replaceAll(' ', '_')}:${key.toString('hex')}`);
  return `${lines.join('\n')}\n`;
}

/** Returns whether two digests are equal. Compares digests of the same length in constant time. */
export function sameDigest(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface SecretOptions {
  /**
   * The secret's text from the environment, with commas between its lines. If it is set, it is used instead of the
   * file.
   */
  readonly configuredSecret?: string | undefined;
  readonly dataDirectory: string;
  /**
   * True if the data of the database depend on an existing server secret, so that no new secret may be
   * created.
   */
  readonly mustExist?: boolean;
}

/**
 * Returns the server's secret: the configured one, or otherwise that of the file `secret.key` in the data
 * directory, which is created with mode 0600 at the first start. Throws if a key in the secret is not 64 hex
 * digits, if other users may access the file (not checked on Windows), or if `mustExist` is true and neither
 * exists.
 */
export async function openServerSecret(options: SecretOptions): Promise<ServerSecret> {
  if (options.configuredSecret !== undefined) return parseSecret(options.configuredSecret, 'SERVER_SECRET');
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
  return parseSecret(text, path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Before the first start the file does not exist.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates the secret's file under a draft name and then links it to its final name, so that the file of
 * another process is never overwritten. Returns the content of the file, which another process may have
 * created first.
 */
async function create(directory: string, path: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = await writeDraft(path, `${randomBytes(BYTES).toString('hex')}\n`);
  try {
    await link(draft, path);
  } catch (error) {
    // If the file exists already, another process has created it at the same time, and its content is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  // The file is made durable before the secret is used, because data that are encrypted with it would otherwise be
  // lost.
  await syncFolder(directory);
  return readFile(path, 'utf8');
}

async function checkPrivate(path: string): Promise<void> {
  // On Windows permissions are in access control lists, which this function does not check.
  if (process.platform === 'win32') return;
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by others: chmod 600 it, and replace it if it may have leaked`);
  }
}

/**
 * Parses the text of a server secret, with line breaks or commas between keys. `origin` names the setting or file in
 * errors. Throws if a key is not 64 hex digits, or if one after the first has no name or that of another.
 */
export function parseSecret(text: string, origin: string): ServerSecret {
  const [root = '', ...others] = text.trim().split(/[\s,]+/);
  const rootKey = parse(root, origin);
  const keys = new Map<string, Buffer>();
  for (const line of others) {
    const separator = line.indexOf(':');
    const name = line.slice(0, Math.max(0, separator)).replaceAll('_', ' ');
    if (name === '' || keys.has(name))
      throw new Error(`each key after the first of ${origin} needs its own name: retiring:…`);
    keys.set(name, parse(line.slice(separator + 1), origin));
  }
  const retiring = keys.get('retiring');
  keys.delete('retiring');
  return new ServerSecret(rootKey, { retiring, lasting: keys });
}

/**
 * Replaces `secret.key` in the data directory. After a crash the file has either the old text or the new one. Drafts
 * that earlier crashes have left are removed, because they contain secrets. Throws, changing nothing, if `text` is no
 * valid secret.
 */
export async function replaceSecretFile(dataDirectory: string, text: string): Promise<void> {
  parseSecret(text, FILE_NAME);
  const path = join(dataDirectory, FILE_NAME);
  for (const name of await readdir(dataDirectory))
    if (DRAFT.test(name)) await rm(join(dataDirectory, name), { force: true });
  await writeDurably(path, text);
}

function parse(text: string, origin: string): Buffer {
  const hex = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw new Error(`${origin} is not 64 hex digits`);
  return Buffer.from(hex, 'hex');
}
