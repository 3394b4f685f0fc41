/**
 * The program of the child process that decodes users' pictures, so that the server itself never decodes
 * them. It is started with limits (see `job-child.ts`), processes one picture at a time, and receives these
 * messages:
 *
 * - `open` with `sent`, the bytes of a picture: reads the header without decoding. The answer contains size,
 * depth, format, number of frames, and whether the picture is progressive.
 *
 * - `rewrite` with `side`, `pixelsMax`, `quality`, and `seconds`: decodes the opened picture, and fails if it
 * has more than `pixelsMax` pixels or takes longer than `seconds`. The answer contains a JPEG of its pixels
 * only, scaled down to fit a square of `side` pixels, and the JPEG's size in pixels.
 *
 * - `stamp` with `jpeg`, `tile` (raw RGBA), the tile's `width` and `height`, and `quality`: answers with a
 * JPEG of the picture that is covered with repetitions of the tile.
 *
 * An answer is `{ answer }`, or `{ failure }` with a reason for the log.
 */
import sharp from 'sharp';

// The picture library may only use the decoders of the formats that endpoints accept, e.g. not those of SVG or PDF.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/** The bytes of the picture that the last `open` message contained. */
let opened;

async function open({ sent }) {
  opened = sent;
  const {
    width,
    height,
    depth,
    format,
    isProgressive,
    pages = 1,
  } = await sharp(sent, {
    limitInputPixels: false,
  }).metadata();
  return { width, height, depth, format, isProgressive, pages };
}

async function rewrite({ side, pixelsMax, quality, seconds }) {
  const sent = opened;
  opened = undefined;
  const { data, info } = await sharp(sent, { limitInputPixels: pixelsMax, failOn: 'error' })
    .timeout({ seconds })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality, mozjpeg: false })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, width: info.width, height: info.height };
}

async function stamp({ jpeg, tile, width, height, quality }) {
  const raw = { width, height, channels: 4 };
  return sharp(jpeg)
    .composite([{ input: tile, raw, tile: true, blend: 'over' }])
    .jpeg({ quality })
    .toBuffer();
}

const JOBS = new Map([
  ['open', open],
  ['rewrite', rewrite],
  ['stamp', stamp],
]);

async function answerOf(message) {
  try {
    return { answer: await JOBS.get(message.kind)(message) };
  } catch (cause) {
    return { failure: String(cause?.message ?? cause).slice(0, 300) };
  }
}

async function answer(message) {
  const result = await answerOf(message);
  if (process.connected) process.send(result);
}

process.on('message', (message) => void answer(message));
process.on('disconnect', () => process.exit());
process.send({ ready: true });
