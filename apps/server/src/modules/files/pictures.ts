import pLimit from 'p-limit';
import sharp, { type Metadata } from 'sharp';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sizeProblem, UPLOAD_PIXELS_MAX, type UploadPurpose } from '@exchange/core/upload.ts';
import { formatOf, isAnimated, isForeign } from './domain/container.ts';

/** A picture as it is kept: JPEG, upright, without anything but its pixels. */
export interface Picture {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The longer side of what is kept: a document fills it with letters that can still be read. */
const SIDE_MAX: Readonly<Record<UploadPurpose, number>> = { identity: 2_560, proof: 2_560, avatar: 512 };
const QUALITY = 84;
const SECONDS = 10;
/** Decoded at one time, each in a thread of its own beside the event loop; and waiting for that. */
const AT_ONCE = 2;
const WAITING_MAX = 30;
const MEGA = 1_000_000;
/** With 16 bits per colour a pixel takes twice the memory and more than twice the time. */
const DEEP_PIXELS_MAX = UPLOAD_PIXELS_MAX / 2;
/** An interlaced PNG is unpacked as a whole, and nothing ends that half-way: so many bits of each colour of it. */
const INTERLACED_PIXELS_MAX = { shallow: UPLOAD_PIXELS_MAX / 2, deep: DEEP_PIXELS_MAX / 2 };

// Only these decoders exist in this process from now on: no SVG, no PDF, no formats that nobody has asked for.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

const turn = pLimit(AT_ONCE);

/** Runs work on pictures, two at a time; refuses where too many wait already. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turn.pendingCount >= WAITING_MAX) throw new Refused(refusal('maintenance', 'l.busy'));
  return turn(work);
}

/**
 * Decodes a picture and writes it anew: what is kept has been made here, pixel by pixel. Refuses what is no JPEG,
 * PNG or WebP, what moves, what is something else besides, what is damaged, and what is too small or too large.
 */
export async function cleanPicture(sent: Buffer, purpose: UploadPurpose): Promise<Picture> {
  const format = formatOf(sent);
  if (format === undefined) throw unfit('l.file_type');
  if (isAnimated(sent, format)) throw unfit('l.file_animated');
  if (isForeign(sent)) throw unfit('l.file_foreign');
  return inTurn(async () => {
    try {
      await requireSize(sent, purpose);
      return await rewritten(sent, purpose);
    } catch (thrown) {
      // Reason: the library has no error types; whatever it could not do with these bytes is their fault.
      throw thrown instanceof Refused ? thrown : unfit('l.file_damaged');
    }
  });
}

/** Read from the first bytes; nothing is unpacked yet. */
function headOf(sent: Buffer): Promise<Metadata> {
  return sharp(sent, { limitInputPixels: false }).metadata();
}

async function requireSize(sent: Buffer, purpose: UploadPurpose): Promise<void> {
  const { width, height, depth, format, isProgressive, pages = 1 } = await headOf(sent);
  if (pages > 1) throw unfit('l.file_animated');
  const isDeep = depth === 'ushort';
  const pixels = width * height;
  const interlaced = INTERLACED_PIXELS_MAX[isDeep ? 'deep' : 'shallow'];
  if (format === 'png' && isProgressive && pixels > interlaced)
    throw unfit('l.file_interlaced', { limit: String(interlaced / MEGA) });
  const tooDeep = { kind: 'pixels', limit: DEEP_PIXELS_MAX, value: pixels } as const;
  const problem = isDeep && pixels > DEEP_PIXELS_MAX ? tooDeep : sizeProblem({ width, height }, purpose);
  if (problem === undefined) return;
  const { kind, limit, value } = problem;
  const unit = kind === 'pixels' ? MEGA : 1;
  throw unfit(kind === 'pixels' ? 'l.file_pixels' : 'l.file_small', {
    ...{ limit: String(limit / unit), value: String(Math.ceil(value / unit)) },
  });
}

async function rewritten(sent: Buffer, purpose: UploadPurpose): Promise<Picture> {
  const side = SIDE_MAX[purpose];
  const { data, info } = await sharp(sent, { limitInputPixels: UPLOAD_PIXELS_MAX, failOn: 'error' })
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY, mozjpeg: false })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, width: info.width, height: info.height };
}

function unfit(key: Parameters<typeof refusal>[1], parameters: Record<string, string> = {}): Refused {
  return new Refused(refusal('invalidField', key, { field: 'file', ...parameters }));
}
