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

/** A picture as it is stored: a JPEG, upright, without metadata. */
export interface Picture {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Raw RGBA pixels of a watermark, which is repeated over a whole picture. */
export interface Tile {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Fields that are read from the header of a picture. */
interface Head {
  readonly width: number;
  readonly height: number;
  readonly depth: string;
  readonly format: string;
  readonly isProgressive: boolean;
  readonly pages: number;
}

/**
 * Maximum length of a stored picture's longer side in pixels, by purpose. Documents are still readable at this size.
 */
const SIDE_MAX: Readonly<Record<UploadPurpose, number>> = { identity: 2_560, proof: 2_560, avatar: 512 };
const QUALITY = 84;
const STAMPED_QUALITY = 80;
/** Time limit in seconds for decoding a picture; shorter than the time limit of the decoder process. */
const SECONDS = 20;
const MEGA = 1_000_000;
/** Pixel limit of pictures with 16 bits per channel, which need twice the memory and more than twice the time. */
const DEEP_PIXELS_MAX = UPLOAD_PIXELS_MAX / 2;
/**
 * Pixel limit of interlaced PNGs, `deep` with 16 bits per channel, `shallow` with fewer; it is lower, because
 * they are decoded in one step that cannot be interrupted.
 */
const INTERLACED_PIXELS_MAX = { shallow: UPLOAD_PIXELS_MAX / 2, deep: DEEP_PIXELS_MAX / 2 };

/**
 * Limits of the child process that decodes pictures. A rotated progressive JPEG of 40 megapixels needs up to 230 MB,
 * and a few seconds on a machine under heavy load.
 */
export const PICTURE_LIMITS = {
  memoryMb: 512,
  jobMs: 30_000,
  startMs: 30_000,
  idleMs: 60_000,
  waitingMost: 30,
} as const;

/** Decodes pictures, encodes them again and adds watermarks, in a child process and one picture at a time. */
export class Pictures {
  private readonly child: Pick<JobChild, 'run'>;

  constructor(child: Pick<JobChild, 'run'>) {
    this.child = child;
  }

  /**
   * Decodes a picture and encodes its pixels as a new JPEG. Refuses files other than JPEG, PNG and WebP, animations,
   * files that other programs could read as something else, damaged files, and pictures that are too small or too
   * large. Refuses with `l.busy` if too many pictures are queued, and with `l.file_failed` if the child process ended
   * while it worked on this picture.
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
   * Repeats a watermark over a stored picture, and returns the result as a JPEG. Refuses with `l.busy`, `l.file_failed`
   * and `l.file_damaged` in the same cases as `clean`.
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

/**
 * Refuses an animated picture, and one whose header states a size that is too small or too large, before any
 * pixel is decoded. Interlaced PNGs and pictures with 16 bits per channel have lower pixel limits.
 */
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
