import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { UploadPurpose } from '@exchange/core/upload.ts';

/** An uploaded picture. Its content is stored separately, encrypted. */
export interface StoredFile {
  readonly id: string;
  readonly owner: UserId;
  readonly purpose: UploadPurpose;
  /** SHA-256 of the uploaded bytes, in hexadecimal. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  readonly createdAt: Instant;
}

/** A file that another module has claimed. */
export interface ClaimedFile extends StoredFile {
  /** True if the same bytes were uploaded before, by any user. */
  readonly isRepeated: boolean;
}
