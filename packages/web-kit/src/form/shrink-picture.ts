import { UPLOAD_BYTES_MAX, UPLOAD_TYPES, type UploadPurpose } from '@exchange/core/upload.ts';

/** Width and height in pixels, as the picture is looked at: turned as its EXIF data say. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What became of a chosen file: the picture to send and the size that was chosen, or that the browser cannot open it. */
export type PreparedPicture =
  | { readonly kind: 'ready'; readonly picture: Blob; readonly size: PictureSize }
  | { readonly kind: 'heic' }
  | { readonly kind: 'unknown' };

/** Pixels of the longer side that is sent: at 3,200 the small print of a document on a photo stays legible. */
const LONGER_SIDE: Readonly<Record<UploadPurpose, number>> = {
  identity: 3_200,
  proof: 3_200,
  avatar: 1_024,
};
/** A shorter side is not scaled below this, so that a long receipt stays legible. */
const SHORTER_SIDE = 1_000;
/** A picture of a type that the server takes is sent as it is up to this size. */
const UNCHANGED_BYTES = 2 * 1024 * 1024;
const SENT_PIXELS_MAX = 16_000_000;
/** JPEG qualities, tried until the picture is small enough. */
const QUALITIES = [0.9, 0.8, 0.65] as const;

/** The size in which a picture is sent, never larger than it is. */
export function sentSize({ width, height }: PictureSize, purpose: UploadPurpose): PictureSize {
  const wanted = Math.max(
    LONGER_SIDE[purpose] / Math.max(width, height),
    Math.min(SHORTER_SIDE, LONGER_SIDE[purpose]) / Math.min(width, height),
  );
  const scale = Math.min(1, wanted, Math.sqrt(SENT_PIXELS_MAX / (width * height)));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** Whether a file can be sent as it is: the server takes its type, and it is small. */
function isSendable(file: Blob, size: PictureSize, purpose: UploadPurpose): boolean {
  return (
    (UPLOAD_TYPES as readonly string[]).includes(file.type) &&
    file.size <= UNCHANGED_BYTES &&
    sentSize(size, purpose).width === size.width
  );
}

/**
 * Makes of a chosen file what is sent. A photo of many megapixels or megabytes, and any type that the browser opens and
 * the server does not take (such as HEIC in Safari), becomes a smaller JPEG, upright, on white where it was transparent.
 */
export async function preparePicture(file: Blob, purpose: UploadPurpose): Promise<PreparedPicture> {
  const bitmap = await opened(file);
  if (bitmap === undefined) return { kind: (await isHeic(file)) ? 'heic' : 'unknown' };
  try {
    const size: PictureSize = { width: bitmap.width, height: bitmap.height };
    if (isSendable(file, size, purpose)) return { kind: 'ready', picture: file, size };
    const jpeg = await encoded(bitmap, sentSize(size, purpose));
    // A browser that cannot draw sends the file, and the server says what it does not take.
    return { kind: 'ready', picture: jpeg ?? file, size };
  } finally {
    bitmap.close();
  }
}

async function opened(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    // Reason: a browser rejects what it cannot decode; that is the answer.
    return undefined;
  }
}

async function encoded(bitmap: ImageBitmap, { width, height }: PictureSize): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d');
  if (pen === null) return undefined;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, width, height);
  let smallest: Blob | undefined;
  for (const quality of QUALITIES) {
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    smallest = jpeg ?? smallest;
    if (jpeg !== null && jpeg.size <= UPLOAD_BYTES_MAX) break;
  }
  return smallest;
}

/** Brands of the file formats of iPhone and newer Android cameras, after `ftyp` in the first bytes. */
const HEIC_START = /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s;

/** Whether a file is a photo in HEIC or HEIF, by what it holds or, where it cannot be read, by its type. */
async function isHeic(file: Blob): Promise<boolean> {
  if (/^image\/hei[cf]/.test(file.type)) return true;
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return HEIC_START.test(String.fromCodePoint(...start));
}

/**
 * The types that a file dialog offers. An iPhone or iPad turns HEIC into JPEG by itself as long as HEIC is not among
 * them; elsewhere such a file can be chosen, to be opened or to say what can be done.
 */
export function offeredTypes(): string {
  const { userAgent, maxTouchPoints } = navigator;
  const convertsItself =
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
  return [...UPLOAD_TYPES, ...(convertsItself ? [] : ['.heic', '.heif'])].join(',');
}
