/** Rules of uploaded pictures on which server and screens agree. */

export const UPLOAD_PURPOSES = ['identity', 'proof', 'avatar'] as const;
/** What a picture is for: an identity document, the proof of a deposit, the picture of an account. */
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number];

/** Five megabytes. */
export const UPLOAD_BYTES_MAX = 5 * 1024 * 1024;
export const UPLOAD_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export const UPLOAD_PIXELS_MAX = 40_000_000;
/** Pixels of the shorter side: below it nothing on the picture can be read. */
export const SHORTER_SIDE_MIN: Readonly<Record<UploadPurpose, number>> = {
  identity: 400,
  proof: 100,
  avatar: 64,
};
/** Tries of one person and day. */
export const UPLOADS_PER_DAY = 40;

export type SizeProblem =
  | { readonly kind: 'small'; readonly limit: number; readonly value: number }
  | { readonly kind: 'pixels'; readonly limit: number; readonly value: number };

/** Whether a picture is too small to be read, or too large to be opened. */
export function sizeProblem(
  { width, height }: { readonly width: number; readonly height: number },
  purpose: UploadPurpose,
): SizeProblem | undefined {
  const value = Math.min(width, height);
  const limit = SHORTER_SIDE_MIN[purpose];
  if (width * height > UPLOAD_PIXELS_MAX)
    return { kind: 'pixels', limit: UPLOAD_PIXELS_MAX, value: width * height };
  return value < limit ? { kind: 'small', limit, value } : undefined;
}
