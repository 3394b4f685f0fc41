/** Rules for uploaded pictures, which screens and server share. */

export const UPLOAD_PURPOSES = ['identity', 'proof', 'avatar'] as const;
/** What an uploaded picture is for: an identity document, the proof of a deposit, or the user's avatar. */
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number];

/** Maximum size of an uploaded picture: 5 MiB. */
export const UPLOAD_BYTES_MAX = 5 * 1024 * 1024;
export const UPLOAD_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export const UPLOAD_PIXELS_MAX = 40_000_000;
/** Minimum number of pixels of a picture's shorter side, by purpose. Smaller pictures are refused. */
export const SHORTER_SIDE_MIN: Readonly<Record<UploadPurpose, number>> = {
  identity: 400,
  proof: 100,
  avatar: 64,
};
/**
 * Maximum number of a user's upload attempts per UTC day, for all purposes together. Refused uploads count too; further
 * attempts are refused.
 */
export const UPLOADS_PER_DAY = 40;

export type SizeProblem =
  | { readonly kind: 'small'; readonly limit: number; readonly value: number }
  | { readonly kind: 'pixels'; readonly limit: number; readonly value: number };

/**
 * Returns the reason why a picture cannot be used: it has more than `UPLOAD_PIXELS_MAX` pixels, or its shorter side is
 * below the minimum of its purpose. Returns undefined if it can be used.
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
