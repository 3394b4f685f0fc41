import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { UploadPurpose } from '@exchange/core/upload.ts';

/** An uploaded picture, without its content, which is encrypted and stored separately. */
export interface StoredFile {
  readonly id: string;
  readonly owner: UserId;
  readonly purpose: UploadPurpose;
  /** SHA-256 of the uploaded bytes, in hexadecimal digits. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  readonly createdAt: Instant;
}

/** An uploaded file that another module has claimed for one of its objects. */
export interface ClaimedFile extends StoredFile {
  /** True if an earlier upload for the same purpose, of any user, has the same bytes; erased files are not compared. */
  readonly isRepeated: boolean;
}
