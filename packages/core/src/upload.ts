/** Rules for uploaded pictures, shared by server and screens. */

export const UPLOAD_PURPOSES = ['identity', 'proof', 'avatar'] as const;
/** Use of a picture: identity document, proof of a deposit, or avatar. */
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number];

/** Greatest size of an uploaded picture: 5 MiB. */
export const UPLOAD_BYTES_MAX = 5 * 1024 * 1024;
export const UPLOAD_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export const UPLOAD_PIXELS_MAX = 40_000_000;
/** Minimum pixels of a picture's shorter side by purpose; smaller pictures are refused. */
export const SHORTER_SIDE_MIN: Readonly<Record<UploadPurpose, number>> = {
  identity: 400,
  proof: 100,
  avatar: 64,
};
/** Greatest number of upload attempts of a user per UTC day. */
export const UPLOADS_PER_DAY = 40;

export type SizeProblem =
  | { readonly kind: 'small'; readonly limit: number; readonly value: number }
  | { readonly kind: 'pixels'; readonly limit: number; readonly value: number };

/**
 * Returns why a picture cannot be used: more than `UPLOAD_PIXELS_MAX` pixels, or a shorter side below the
 * minimum of its purpose; otherwise undefined.
 */
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
