import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { UploadPurpose } from '@exchange/core/upload.ts';

/** A picture that somebody has uploaded; its content lies elsewhere, encrypted. */
export interface StoredFile {
  readonly id: string;
  readonly owner: UserId;
  readonly purpose: UploadPurpose;
  /** SHA-256 of what was sent, in hexadecimal. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  readonly createdAt: Instant;
}

/** A file that another module has taken. */
export interface ClaimedFile extends StoredFile {
  /** The very same bytes were uploaded before, by this person or by another. */
  readonly isRepeated: boolean;
}
