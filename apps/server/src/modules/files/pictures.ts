import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sizeProblem, UPLOAD_PIXELS_MAX, type UploadPurpose } from '@exchange/core/upload.ts';
import {
  ChildBusy,
  ChildEnded,
  JobFailed,
  type JobChild,
  type Send,
} from '../../platform/children/job-child.ts';
import { formatOf, isAnimated, isPolyglot } from './domain/container.ts';

/** A picture as stored: JPEG, upright, without metadata. */
export interface Picture {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Raw RGBA pixels of a watermark that is repeated over a picture. */
export interface Tile {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Fields read from a picture's header. */
interface Head {
  readonly width: number;
  readonly height: number;
  readonly depth: string;
  readonly format: string;
  readonly isProgressive: boolean;
  readonly pages: number;
}

/** Maximum length of the longer side, in pixels. Documents stay readable at this size. */
const SIDE_MAX: Readonly<Record<UploadPurpose, number>> = { identity: 2_560, proof: 2_560, avatar: 512 };
const QUALITY = 84;
const STAMPED_QUALITY = 80;
/** Time limit for decoding, in seconds; shorter than the limit of the process. */
const SECONDS = 20;
const MEGA = 1_000_000;
/** Pictures with 16 bits per channel need twice the memory and more than twice the time. */
const DEEP_PIXELS_MAX = UPLOAD_PIXELS_MAX / 2;
/** Interlaced PNGs are decoded in one uninterruptible step, so their pixel limit is lower, by bits per channel. */
const INTERLACED_PIXELS_MAX = { shallow: UPLOAD_PIXELS_MAX / 2, deep: DEEP_PIXELS_MAX / 2 };

/**
 * Limits of the decoder process. A rotated progressive JPEG of 40 megapixels needs up to 230 MB, and a few seconds on a
 * heavily loaded machine.
 */
export const PICTURE_LIMITS = {
  memoryMb: 512,
  jobMs: 30_000,
  startMs: 30_000,
  idleMs: 60_000,
  waitingMost: 30,
} as const;

/** Decodes, re-encodes and watermarks pictures in a separate process, one at a time. */
export class Pictures {
  private readonly child: Pick<JobChild, 'run'>;

  constructor(child: Pick<JobChild, 'run'>) {
    this.child = child;
  }

  /**
   * Re-encodes the pixels of a picture as a new JPEG. Refuses files other than JPEG, PNG and WebP, animations,
   * polyglots, damaged files, and pictures that are too small or too large. Refuses with `l.busy` if too many pictures
   * are queued, and with `l.file_failed` if the process ended while handling this picture.
   */
  clean(bytes: Buffer, purpose: UploadPurpose): Promise<Picture> {
    const format = formatOf(bytes);
    if (format === undefined) throw unfit('l.file_type');
    if (isAnimated(bytes, format)) throw unfit('l.file_animated');
    if (isPolyglot(bytes)) throw unfit('l.file_foreign');
    return this.run(async (send) => {
      requireSize((await send({ kind: 'open', sent: bytes })) as Head, purpose);
      return (await send({
        kind: 'rewrite',
        side: SIDE_MAX[purpose],
        pixelsMax: UPLOAD_PIXELS_MAX,
        quality: QUALITY,
        seconds: SECONDS,
      })) as Picture;
    });
  }

  /**
   * Repeats a tile over a stored picture and returns the JPEG. Refuses with `l.busy`, `l.file_failed` and
   * `l.file_damaged` as `clean` does.
   */
  stamp(jpeg: Buffer, { pixels, width, height }: Tile): Promise<Buffer> {
    const message = { kind: 'stamp', jpeg, tile: pixels, width, height, quality: STAMPED_QUALITY };
    return this.run(async (send) => (await send(message)) as Buffer);
  }

  private async run<Result>(job: (send: Send) => Promise<Result>): Promise<Result> {
    try {
      return await this.child.run(job);
    } catch (thrown) {
      if (thrown instanceof ChildBusy) throw new Refused(refusal('maintenance', 'l.busy'));
      if (thrown instanceof ChildEnded) throw unfit('l.file_failed');
      if (thrown instanceof JobFailed) throw unfit('l.file_damaged');
      throw thrown;
    }
  }
}

/** Checks a picture's size by its header, before any pixel is decoded. */
function requireSize({ width, height, depth, format, isProgressive, pages }: Head, purpose: UploadPurpose) {
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
    limit: String(limit / unit),
    value: String(Math.ceil(value / unit)),
  });
}

function unfit(key: Parameters<typeof refusal>[1], parameters: Record<string, string> = {}): Refused {
  return new Refused(refusal('invalidField', key, { field: 'file', ...parameters }));
}
