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

/** Identifies the purpose for which another module claims files. */
export interface Claim {
  readonly owner: UserId;
  readonly purpose: UploadPurpose;
  /**
   * Text that names the object the files belong to, e.g. `deposit <report id>`. Claiming again for the same object
   * succeeds.
   */
  readonly about: string;
}

/** Uploaded pictures: stores them encrypted and hands them to the modules they were uploaded for. */
export class Files {
  private readonly parts: Parts;
  /** Limits each user to one picture in the decoder queue. */
  private readonly uploadQueue = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Stores a picture for its owner. Refuses attempts above the daily limit and invalid pictures. */
  async upload(owner: UserId, purpose: UploadPurpose, bytes: Buffer): Promise<StoredFile> {
    const { clock, random, database, store, pictures } = this.parts;
    const now = clock.now();
    const day = startOfDay(now);
    // The attempt is counted before the picture is processed, so refused uploads count too.
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

  /** The JPEG of a picture that this owner uploaded; refuses every other picture with `l.not_found`. */
  async own(owner: UserId, id: string): Promise<Buffer> {
    const file = await findFile(this.parts.database.store, id);
    const content = file?.owner === owner ? await this.parts.store.get(id, owner) : undefined;
    if (content === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return content;
  }

  /**
   * The JPEG of an uploaded picture of any user, claimed or not; undefined for an unknown or released one.
   */
  async read(id: string): Promise<Buffer | undefined> {
    const file = await findFile(this.parts.database.store, id);
    return file && this.parts.store.get(id, file.owner);
  }

  /**
   * An uploaded picture as JPEG with a watermark repeated over it; undefined for an unknown or released one.
   */
  async readStamped(id: string, tile: Tile): Promise<Buffer | undefined> {
    const jpeg = await this.read(id);
    return jpeg && this.parts.pictures.stamp(jpeg, tile);
  }

  async exists(id: string, store: Store = this.parts.database.store): Promise<boolean> {
    return (await findFile(store, id)) !== undefined;
  }

  /**
   * Claims uploaded files in the caller's transaction and returns them in the order of `ids`. Refuses files that do not
   * exist, belong to another user or purpose, or are claimed for another object.
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
   * Releases uploaded files in the caller's transaction. They are unreadable after its commit; the hourly
   * clean-up erases them.
   */
  async remove(tx: Tx, ids: readonly string[]): Promise<void> {
    await releaseFiles(tx, ids);
  }

  /** Erases released files, and files that were not claimed within 24 hours of their upload. */
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
      // The content is deleted before the row: if the process ends in between, the remaining row is
      // found again.
      for (const id of ids) await store.delete(id);
      await deleteFiles(database.store, ids);
      if (ids.length < CHUNK) return;
    }
  }
}
