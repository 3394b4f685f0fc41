import { createHash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, later, startOfDay } from '@exchange/core/time.ts';
import { UPLOADS_PER_DAY, type UploadPurpose } from '@exchange/core/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Store, Tx } from '../../platform/database/database.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import type { SealedStore } from '../../platform/files/sealed-store.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { timeText } from '../../platform/time-text.ts';
import type { ClaimedFile, StoredFile } from './domain/file.ts';
import type { Pictures, Tile } from './pictures.ts';
import {
  claimFiles,
  findFile,
  deleteAttemptCounts,
  deleteFiles,
  releaseFiles,
  releaseUnclaimed,
  releasedFiles,
  insertFile,
  countAttempt,
} from './repository.ts';

const FREE_FOR_MS = 24 * HOUR_MS;
const CHUNK = 200;

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly store: SealedStore;
  readonly pictures: Pictures;
}

/** The owner, purpose and object for which another module claims files. */
export interface Claim {
  readonly owner: UserId;
  readonly purpose: UploadPurpose;
  /**
   * Text that names the object to which the files belong, e.g. `deposit <report id>`. Claiming the same files again for
   * the same object succeeds.
   */
  readonly about: string;
}

/** Stores uploaded pictures encrypted, and delivers them to their owners and to other modules. */
export class Files {
  private readonly parts: Parts;
  /**
   * Allows each user only one picture at a time in the queue of the decoder process; further uploads of the
   * same user wait.
   */
  private readonly uploadQueue = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Stores a picture of its owner as a newly encoded JPEG. Refuses a user's attempts above `UPLOADS_PER_DAY`
   * on a UTC day, among which refused ones count too, and what `Pictures.clean` refuses.
   */
  async upload(owner: UserId, purpose: UploadPurpose, bytes: Buffer): Promise<StoredFile> {
    const { clock, random, database, store, pictures } = this.parts;
    const now = clock.now();
    const day = startOfDay(now);
    // The attempt is counted before the picture is decoded, so that refused uploads count too.
    if (!(await countAttempt(database.store, owner, day, UPLOADS_PER_DAY)))
      throw new Refused(
        refusal('rateLimited', 'l.file_day', {
          limit: String(UPLOADS_PER_DAY),
          time: timeText(later(day, DAY_MS)),
        }),
      );
    const { jpeg, width, height } = await this.uploadQueue.run(owner, () => pictures.clean(bytes, purpose));
    const hash = createHash('sha256').update(bytes).digest('hex');
    const file = { id: newId(random, now), owner, purpose, hash, width, height, createdAt: now };
    // The row is stored before the content: content without a row would never be erased.
    await insertFile(database.store, file);
    await store.put(file.id, jpeg, owner);
    return file;
  }

  /**
   * The JPEG of a picture that this user uploaded and that was not released; refuses any other id with
   * `l.not_found`.
   */
  async own(owner: UserId, id: string): Promise<Buffer> {
    const file = await findFile(this.parts.database.store, id);
    const content = file?.owner === owner ? await this.parts.store.get(id, owner) : undefined;
    if (content === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return content;
  }

  /**
   * The JPEG of an uploaded picture of any user, whether claimed or not; undefined if the picture is unknown or was
   * released (marked for deletion).
   */
  async read(id: string): Promise<Buffer | undefined> {
    const file = await findFile(this.parts.database.store, id);
    return file && this.parts.store.get(id, file.owner);
  }

  /**
   * The JPEG of an uploaded picture of any user with a watermark repeated over it; undefined if the picture
   * is unknown or was released (marked for deletion). Refuses what `Pictures.stamp` refuses.
   */
  async readStamped(id: string, tile: Tile): Promise<Buffer | undefined> {
    const jpeg = await this.read(id);
    return jpeg && this.parts.pictures.stamp(jpeg, tile);
  }

  async exists(id: string, store: Store = this.parts.database.store): Promise<boolean> {
    return (await findFile(store, id)) !== undefined;
  }

  /**
   * Claims uploaded files in the caller's transaction, and returns them in the order of `ids`. Refuses files that do
   * not exist, that belong to another user or purpose, or that are claimed for another object.
   */
  async claim(tx: Tx, ids: readonly string[], claim: Claim): Promise<ClaimedFile[]> {
    const claimed = await claimFiles(tx, ids, claim);
    return ids.map((id) => {
      const file = claimed.find((candidate) => candidate.id === id);
      if (file === undefined) throw new Refused(refusal('invalidField', 'l.file_unknown', { value: id }));
      return file;
    });
  }

  /**
   * Releases uploaded files in the caller's transaction. They cannot be read after its commit; the hourly clean-up
   * erases them.
   */
  async remove(tx: Tx, ids: readonly string[]): Promise<void> {
    await releaseFiles(tx, ids);
  }

  /**
   * Erases files that modules have released, and files that no module claimed within 24 hours of their upload. Also
   * deletes the counts of upload attempts of the days before yesterday.
   */
  async cleanUp(): Promise<void> {
    const { clock, database } = this.parts;
    const now = clock.now();
    while ((await releaseUnclaimed(database.store, later(now, -FREE_FOR_MS), CHUNK)) === CHUNK);
    await this.eraseGone();
    await deleteAttemptCounts(database.store, later(startOfDay(now), -DAY_MS));
  }

  private async eraseGone(): Promise<void> {
    const { database, store } = this.parts;
    for (;;) {
      const ids = await releasedFiles(database.store, CHUNK);
      // The content is deleted before the row: if the process ends in between, the remaining row is found by the next
      // clean-up.
      for (const id of ids) await store.delete(id);
      await deleteFiles(database.store, ids);
      if (ids.length < CHUNK) return;
    }
  }
}
