import { UPLOAD_BYTES_MAX, UPLOAD_TYPES, type UploadPurpose } from '@exchange/core/upload.ts';

/** Width and height in pixels after the EXIF rotation is applied. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Result of preparing a file: `ready` with the picture to send and the size of the original, `heic` if the browser
 * cannot open a HEIC photo, otherwise `unknown`.
 */
export type PreparedPicture =
  | { readonly kind: 'ready'; readonly picture: Blob; readonly size: PictureSize }
  | { readonly kind: 'heic' }
  | { readonly kind: 'unknown' };

/**
 * Length in pixels, by the purpose of the upload, to which the longer side of a picture is reduced, unless
 * `SHORTER_SIDE` requires more; at 3,200 pixels the small print of a photographed document stays legible.
 */
const LONGER_SIDE: Readonly<Record<UploadPurpose, number>> = {
  identity: 3_200,
  proof: 3_200,
  avatar: 1_024,
};
/**
 * Minimum of the shorter side of a scaled picture in pixels, so that a long receipt stays legible. The limit
 * `SENT_PIXELS_MAX` has precedence.
 */
const SHORTER_SIDE = 1_000;
/** Maximum size in bytes of pictures of an accepted type that are sent without conversion. */
const UNCHANGED_BYTES = 2 * 1024 * 1024;
const SENT_PIXELS_MAX = 16_000_000;
/**
 * JPEG qualities, tried in this order until the encoded picture has at most `UPLOAD_BYTES_MAX` bytes. If none results
 * in so few bytes, the picture of the last quality is sent.
 */
const QUALITIES = [0.9, 0.8, 0.65] as const;

/**
 * Returns the size in pixels to which a picture for `purpose` is scaled before it is sent: as `LONGER_SIDE`,
 * `SHORTER_SIDE` and `SENT_PIXELS_MAX` require, and never larger than the original.
 */
export function sentSize({ width, height }: PictureSize, purpose: UploadPurpose): PictureSize {
  const wantedScale = Math.max(
    LONGER_SIDE[purpose] / Math.max(width, height),
    Math.min(SHORTER_SIDE, LONGER_SIDE[purpose]) / Math.min(width, height),
  );
  const scale = Math.min(1, wantedScale, Math.sqrt(SENT_PIXELS_MAX / (width * height)));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/**
 * Returns whether a picture is sent without conversion: its type is accepted, its file is small enough, and
 * it need not be scaled.
 */
function isSendable(file: Blob, size: PictureSize, purpose: UploadPurpose): boolean {
  return (
    (UPLOAD_TYPES as readonly string[]).includes(file.type) &&
    file.size <= UNCHANGED_BYTES &&
    sentSize(size, purpose).width === size.width
  );
}

/**
 * Prepares a picture that the user has chosen for upload. A picture that must be scaled (`sentSize`) or has
 * more than `UNCHANGED_BYTES`, and one of a type that the browser opens but the server does not accept (such
 * as HEIC in Safari), is converted to an upright JPEG, in which white replaces transparency; any other
 * picture is not changed. If the browser cannot open the file, the result is `heic` for a HEIC photo,
 * otherwise `unknown`.
 */
export async function preparePicture(file: Blob, purpose: UploadPurpose): Promise<PreparedPicture> {
  const bitmap = await openBitmap(file);
  if (bitmap === undefined) return { kind: (await isHeic(file)) ? 'heic' : 'unknown' };
  try {
    const size: PictureSize = { width: bitmap.width, height: bitmap.height };
    if (isSendable(file, size, purpose)) return { kind: 'ready', picture: file, size };
    const jpeg = await encodeJpeg(bitmap, sentSize(size, purpose));
    // If the canvas cannot encode the picture, the original file is sent; the server may refuse that file.
    return { kind: 'ready', picture: jpeg ?? file, size };
  } finally {
    bitmap.close();
  }
}

async function openBitmap(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return undefined;
  }
}

async function encodeJpeg(bitmap: ImageBitmap, { width, height }: PictureSize): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  let smallest: Blob | undefined;
  for (const quality of QUALITIES) {
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    smallest = jpeg ?? smallest;
    if (jpeg !== null && jpeg.size <= UPLOAD_BYTES_MAX) break;
  }
  return smallest;
}

const HEIC_START = /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s;

/** Whether a file is a HEIC or HEIF photo, by its type or its first bytes. */
async function isHeic(file: Blob): Promise<boolean> {
  if (/^image\/hei[cf]/.test(file.type)) return true;
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return HEIC_START.test(String.fromCodePoint(...start));
}

/**
 * Value of a file input's `accept` attribute. On iPhones and iPads it does not list HEIC, because these devices then
 * convert a chosen HEIC photo themselves. Elsewhere it lists HEIC, so that the user can choose such a photo; if the
 * browser cannot open it, an error explains why.
 */
export function acceptedFileTypes(): string {
  const { userAgent, maxTouchPoints } = navigator;
  const convertsHeic =
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
  return [...UPLOAD_TYPES, ...(convertsHeic ? [] : ['.heic', '.heif'])].join(',');
}
