import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sizeProblem, UPLOAD_PIXELS_MAX, type UploadPurpose } from '@exchange/core/upload.ts';
import {
  ChildBusy,
  ChildEnded,
  JobFailed,
  type JobChild,
  type Send,
} from '../../platform/children/job-child.ts';
import { formatOf, isAnimated, isForeign } from './domain/container.ts';

/** A picture as it is stored: JPEG, upright, without anything but its pixels. */
export interface Picture {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Raw RGBA pixels that are repeated over a picture. */
export interface Tile {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** What the head of a picture says. */
interface Head {
  readonly width: number;
  readonly height: number;
  readonly depth: string;
  readonly format: string;
  readonly isProgressive: boolean;
  readonly pages: number;
}

/** The longer side of what is stored, in pixels: a document fills it with letters that can still be read. */
const SIDE_MAX: Readonly<Record<UploadPurpose, number>> = { identity: 2_560, proof: 2_560, avatar: 512 };
const QUALITY = 84;
const STAMPED_QUALITY = 80;
/** After so long decoding is given up, well before the process is ended for it. */
const SECONDS = 20;
const MEGA = 1_000_000;
/** With 16 bits per colour a pixel takes twice the memory and more than twice the time. */
const DEEP_PIXELS_MAX = UPLOAD_PIXELS_MAX / 2;
/** An interlaced PNG is unpacked as a whole, and nothing ends that half-way: so many pixels by its bits per colour. */
const INTERLACED_PIXELS_MAX = { shallow: UPLOAD_PIXELS_MAX / 2, deep: DEEP_PIXELS_MAX / 2 };

/**
 * Limits of the process that decodes. A picture of 40 megapixels takes up to 230 MB there (rotated, progressive JPEG) and a
 * few seconds on a machine that is twenty times as busy as it can be.
 */
export const PICTURE_LIMITS = {
  memoryMb: 512,
  jobMs: 30_000,
  startMs: 30_000,
  idleMs: 60_000,
  waitingMost: 30,
} as const;

/** Decodes, rewrites and stamps pictures, in a process of its own, one at a time. */
export class Pictures {
  private readonly child: Pick<JobChild, 'run'>;

  constructor(child: Pick<JobChild, 'run'>) {
    this.child = child;
  }

  /**
   * Decodes a picture and encodes its pixels as a new JPEG. Refuses what is no JPEG, PNG or WebP, what moves, what is
   * something else besides, what is damaged, and what is too small or too large; with `l.busy` where too many pictures
   * wait, and with `l.file_failed` where the process ended over this one.
   */
  clean(sent: Buffer, purpose: UploadPurpose): Promise<Picture> {
    const format = formatOf(sent);
    if (format === undefined) throw unfit('l.file_type');
    if (isAnimated(sent, format)) throw unfit('l.file_animated');
    if (isForeign(sent)) throw unfit('l.file_foreign');
    return this.run(async (send) => {
      requireSize((await send({ kind: 'open', sent })) as Head, purpose);
      return (await send({
        kind: 'rewrite',
        side: SIDE_MAX[purpose],
        pixelsMax: UPLOAD_PIXELS_MAX,
        quality: QUALITY,
        seconds: SECONDS,
      })) as Picture;
    });
  }

  /** A stored picture with a tile all over it, as JPEG. Refuses as `clean` does. */
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

/** Refuses a picture by its head, before any of it is unpacked. */
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
