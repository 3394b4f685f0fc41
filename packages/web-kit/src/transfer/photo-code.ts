import { loadChunk } from '../part/load-chunk.ts';

/** What the browsers that read codes offer; the type library does not know it yet. */
interface CodeReader {
  readonly detect: (picture: ImageBitmap) => Promise<readonly { readonly rawValue: string }[]>;
}
type CodeReaderClass = new (options: { readonly formats: readonly string[] }) => CodeReader;

/** The longer side, in pixels, that a photo is read at: enough for a code that fills a tenth of it. */
const READ_AT = 2_000;
/** How long the library may search a photo, in milliseconds; its own limit is that of one frame of a video. */
const SEARCH_MS = 1_500;

/**
 * The text of the QR code on a photo; undefined where it has none or cannot be opened. Where the browser has no reader of
 * codes, or its reader finds nothing, the library's is loaded and used. Rejects with a `ChunkLoadError` where that does not load.
 */
export async function codeInPhoto(photo: Blob): Promise<string | undefined> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  } catch {
    // Reason: a browser rejects what it cannot decode as a picture.
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
    // Reason: browsers offer a reader that the device turns out not to have.
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
    // Reason: the library throws where it finds no code.
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
