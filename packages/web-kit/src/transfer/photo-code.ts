import { loadChunk } from '../part/load-chunk.ts';

/**
 * The part of the browser's `BarcodeDetector` that is used here; the type library does not contain this interface yet.
 */
interface CodeReader {
  readonly detect: (picture: ImageBitmap) => Promise<readonly { readonly rawValue: string }[]>;
}
type CodeReaderClass = new (options: { readonly formats: readonly string[] }) => CodeReader;

/** Length in pixels to which the longer side of a photo is reduced; suffices for a QR code that is a tenth as long. */
const READ_AT = 2_000;
/**
 * Maximum time in milliseconds for the library's search; the library's default is meant for single frames of a video.
 */
const SEARCH_MS = 1_500;

/**
 * Resolves to the text of the QR code on a photo; undefined when the photo shows no code or cannot be
 * decoded. Uses the browser's detector; if the browser has none or it finds no code, loads and uses a
 * library. Rejects with a `ChunkLoadError` when the library cannot be loaded.
 */
export async function codeInPhoto(photo: Blob): Promise<string | undefined> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  } catch {
    // The browser cannot decode the file as a picture, so the photo counts as one without a code.
    return undefined;
  }
  try {
    return (await browserCodeIn(picture)) ?? (await libraryCodeIn(picture));
  } finally {
    picture.close();
  }
}

async function browserCodeIn(picture: ImageBitmap): Promise<string | undefined> {
  const { BarcodeDetector: Reader } = globalThis as { readonly BarcodeDetector?: CodeReaderClass };
  if (Reader === undefined) return undefined;
  try {
    const [code] = await new Reader({ formats: ['qr_code'] }).detect(picture);
    return code?.rawValue;
  } catch {
    // The browser has a detector of QR codes, but it does not work on this device, so the library is used
    // instead.
    return undefined;
  }
}

async function libraryCodeIn(picture: ImageBitmap): Promise<string | undefined> {
  const { decodeQR } = await loadChunk(() => import('qr/decode.js'), 'qr');
  const pixels = pixelsOf(picture);
  if (pixels === undefined) return undefined;
  try {
    return decodeQR(pixels, { format: 'RGBA', timeLimit: SEARCH_MS, effort: 4 });
  } catch {
    // The QR library throws when it finds no code in the photo.
    return undefined;
  }
}

function pixelsOf(picture: ImageBitmap): ImageData | undefined {
  const scale = Math.min(1, READ_AT / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) return undefined;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}
