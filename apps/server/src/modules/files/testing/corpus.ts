import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { aPicture } from './uploads.ts';

/** An uploaded file for tests and its expected result: the key of the refusal, or `taken` if the file is accepted. */
export interface CorpusFile {
  readonly name: string;
  readonly content: Buffer;
  readonly expected: string;
  readonly fileName?: string;
  readonly type?: string;
}

const TAKEN = 'taken';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><script>alert(1)</script></svg>';
const HTML = '<!doctype html><html><script>alert(1)</script></html>';

const base = { width: 640, height: 420 };

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

const PNG_MARK = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A grayscale PNG with `bits` per pixel whose decompressed size is far larger than the file. */
export function pngBomb(width: number, height: number, bits = 1, { isInterlaced = false } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = bits;
  head[12] = isInterlaced ? 1 : 0;
  const rows = deflateSync(Buffer.alloc((Math.ceil((width * bits) / 8) + 1) * height), { level: 9 });
  const end = chunk('IEND', Buffer.alloc(0));
  return Buffer.concat([PNG_MARK, chunk('IHDR', head), chunk('IDAT', rows), end]);
}

/** Inserts a chunk of the given type after the header of a PNG. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const head = 8 + 25;
  return Buffer.concat([png.subarray(0, head), chunk(type, data), png.subarray(head)]);
}

/** Inserts a segment with the given marker after the start marker of a JPEG. */
function withSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

/** Writes a size of `side` × `side` pixels into the frame header of a JPEG. */
function withJpegSize(jpeg: Buffer, side: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.of(0xff, 0xc0));
  changed.writeUInt16BE(side, frame + 5);
  changed.writeUInt16BE(side, frame + 7);
  return changed;
}

/** Writes a size of `side` × `side` pixels into the frame header of a lossy WebP. */
function withWebpSize(webp: Buffer, side: number): Buffer {
  const changed = Buffer.from(webp);
  const size = changed.indexOf(Buffer.of(0x9d, 0x01, 0x2a)) + 3;
  changed.writeUInt16LE(side, size);
  changed.writeUInt16LE(side, size + 2);
  return changed;
}

/** The end record of an empty ZIP archive with the given comment. */
function zipEnd(comment = ''): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, Buffer.from(comment)]);
}

const ANIMATED_GIF = Buffer.from(
  '47494638396101000100800000ffffff00000021ff0b4e45545343415045322e30030100000021f904000a0000002c000000000100010000020244010021f904000a0000002c00000000010001000002024401003b',
  'hex',
);
const TIFF = Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.alloc(200)]);
const HEIC = Buffer.concat([Buffer.from('000000186674797068656963', 'hex'), Buffer.alloc(500)]);
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

/** Generates more than sixty files to upload in tests, each with its expected result. */
export async function corpus(): Promise<CorpusFile[]> {
  const jpeg = await aPicture('#204060', base);
  const still = () => sharp({ create: { ...base, channels: 3, background: '#804020' } });
  const png = await still().png().toBuffer();
  const webp = await still().webp().toBuffer();
  const noise = await sharp({
    create: {
      ...base,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 120, sigma: 60 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
  const text = (words: string) => Buffer.from(words);
  const oversized = (start: Buffer) =>
    Buffer.concat([start, Buffer.alloc(5 * 1024 * 1024 + 1 - start.length)]);
  const full = Buffer.concat([jpeg, Buffer.alloc(5 * 1024 * 1024 - jpeg.length)]);
  return [
    ...accepted(
      ['a JPEG', jpeg] as const,
      ['a PNG', png] as const,
      ['a WebP', webp] as const,
      ['a JPEG called .png', jpeg, 'photo.png', 'image/png'],
      ['a JPEG called .html', jpeg, 'photo.html', 'text/html'],
      ['a PNG called .svg', png, 'photo.svg', 'image/svg+xml'],
      ['a WebP of no type', webp, 'photo', ''],
      ['noise', noise],
      ['exactly 5 MB', full],
      ['progressive', await still().jpeg({ progressive: true }).toBuffer()],
      ['CMYK', await still().toColourspace('cmyk').jpeg().toBuffer()],
      ['grey', await still().greyscale().jpeg().toBuffer()],
      ['16 bits', await still().toColourspace('rgb16').png().toBuffer()],
      ['interlaced', await still().png({ progressive: true }).toBuffer()],
      ['with palette', await still().png({ palette: true }).toBuffer()],
      ['transparent', await still().ensureAlpha(0.5).png().toBuffer()],
      ['lossless WebP', await still().webp({ lossless: true }).toBuffer()],
      ['turned by EXIF', await still().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
      ['with GPS', await still().withExif(GPS).jpeg().toBuffer()],
      ['with a profile', await still().withIccProfile('p3').jpeg().toBuffer()],
      ['with a comment', withSegment(jpeg, 0xfe, text('hello'))],
      ['with a text chunk', withChunk(png, 'tEXt', text('Comment\0hello'))],
      ['with zeros behind it', Buffer.concat([jpeg, Buffer.alloc(4_096)])],
      ['with a trailer of a phone', Buffer.concat([jpeg, text('SEFH0101SEFT')])],
      ['the smallest that can be read', await aPicture('#111111', { width: 400, height: 400 })],
      ['a file name that climbs', jpeg, '../../../etc/passwd'],
      ['a file name with NUL', jpeg, 'a%00.jpg'],
      ['a file name turned round', jpeg, '\u202Egpj.exe'],
      ['a file name of 4 KB', jpeg, `${'n'.repeat(4_000)}.jpg`],
      ['a file name with a line end', jpeg, 'a\r\nx: y.jpg'],
    ),
    ...refused(
      'l.file_type',
      ['SVG', text(SVG), 'a.svg', 'image/svg+xml'],
      ['SVG called .jpg', text(SVG), 'a.jpg', 'image/jpeg'],
      ['SVG behind a head', text(`<?xml version="1.0"?>${SVG}`)],
      ['HTML called .jpg', text(HTML)],
      ['a script', text('#!/bin/sh\nid\n')],
      ['PHP', text('<?php system($_GET[0]);')],
      ['EICAR', text(EICAR)],
      ['GIF', await still().gif().toBuffer(), 'a.gif', 'image/gif'],
      ['a moving GIF', ANIMATED_GIF, 'a.jpg'],
      ['a GIF that is a script', text('GIF89a/*<script>*/=1;alert(1)')],
      ['TIFF', await still().tiff().toBuffer(), 'a.jpg'],
      ['a broken TIFF', TIFF],
      ['HEIC', HEIC, 'a.heic', 'image/heic'],
      [
        'AVIF',
        Buffer.concat([Buffer.from('0000001c66747970617669660000000061766966', 'hex'), Buffer.alloc(99)]),
      ],
      ['BMP', Buffer.concat([text('BM'), Buffer.alloc(1_000)]), 'a.bmp', 'image/bmp'],
      ['PDF', text('%PDF-1.7\n%%EOF')],
      ['PostScript', text('%!PS-Adobe-3.0 EPSF-3.0')],
      ['ZIP', Buffer.concat([text('PK\u0003\u0004'), zipEnd()])],
      ['ELF', Buffer.from('7f454c460201010000', 'hex')],
      ['one byte', Buffer.of(0xff)],
      ['the first two bytes of a JPEG', Buffer.of(0xff, 0xd8)],
      ['zeros', Buffer.alloc(10_000)],
      ['a JPEG behind a space', Buffer.concat([text(' '), jpeg])],
      ['RIFF that is no WebP', text('RIFF\0\0\0\0WAVEfmt ')],
    ),
    ...refused(
      'l.file_animated',
      ['APNG', withChunk(png, 'acTL', Buffer.from('0000000200000000', 'hex'))],
      ['APNG of 10,000 frames', withChunk(png, 'acTL', Buffer.from('0000271000000000', 'hex'))],
      ['a moving WebP', await animatedWebp()],
    ),
    ...refused(
      'l.file_foreign',
      ['a JPEG with a page in its comment', withSegment(jpeg, 0xfe, text(HTML))],
      ['a JPEG with a page behind it', Buffer.concat([jpeg, text(HTML)])],
      ['a JPEG with PHP in it', withSegment(jpeg, 0xe1, text('<?PHP phpinfo();'))],
      ['a JPEG that is a PDF', withSegment(jpeg, 0xfe, text('%PDF-1.4\n1 0 obj'))],
      ['a JPEG that is a PHAR', Buffer.concat([jpeg, text('__HALT_COMPILER(); ?>')])],
      ['a JPEG that is a JAR', Buffer.concat([jpeg, text('PK\u0003\u0004class'), zipEnd()])],
      ['a PNG that is a ZIP with a comment', Buffer.concat([png, zipEnd('see')])],
      [
        'EXIF with a script',
        await still()
          .withExif({ IFD0: { ImageDescription: '<SCRIPT>1' } })
          .jpeg()
          .toBuffer(),
      ],
    ),
    ...refused(
      'l.file_damaged',
      ['half a JPEG', noise.subarray(0, noise.length / 2)],
      ['half a PNG', png.subarray(0, png.length - 200)],
      ['half a WebP', webp.subarray(0, webp.length / 2)],
      ['a JPEG that claims more pixels than the format has', withJpegSize(jpeg, 65_535)],
      ['a WebP that claims 16,383 × 16,383 pixels', withWebpSize(webp, 16_383)],
      ['a JPEG of its head', jpeg.subarray(0, 20)],
      ['a PNG of its mark', PNG_MARK],
      ['a WebP of its mark', text('RIFF\u0010\0\0\0WEBPVP8 \u0004\0\0\0abcd')],
      ['a JPEG of noise', Buffer.concat([jpeg.subarray(0, 3), Buffer.alloc(2_000, 0x5a)])],
    ),
    ...refused(
      'l.file_pixels',
      ['20,000 × 20,000 pixels', pngBomb(20_000, 20_000)],
      ['one pixel too many a side', pngBomb(6_325, 6_325)],
      ['a very long line', pngBomb(100_000, 401)],
      ['16 bits and 20 megapixels', pngBomb(4_473, 4_473, 16)],
      ['a JPEG that claims 65,500 × 65,500 pixels', withJpegSize(jpeg, 65_500)],
    ),
    ...refused(
      'l.file_interlaced',
      ['interlaced, 20 megapixels', pngBomb(4_473, 4_473, 8, { isInterlaced: true })],
      ['interlaced, 16 bits and 10 megapixels', pngBomb(3_163, 3_163, 16, { isInterlaced: true })],
    ),
    ...refused(
      'l.file_small',
      ['one pixel', await aPicture('#000000', { width: 1, height: 1 })],
      ['a pixel too low', await aPicture('#000000', { width: 900, height: 399 })],
    ),
    ...refused(
      'l.file_too_large',
      ['5 MB and a byte', oversized(jpeg)],
      ['5 MB and a byte of nothing', oversized(Buffer.alloc(0))],
    ),
    ...refused('l.file_required', ['nothing', Buffer.alloc(0)]),
  ];
}

export const GPS = {
  IFD0: { Make: 'SECRETPHONE', ImageDescription: 'SECRETPLACE' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 29/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 17/1 40/1',
  },
};

async function animatedWebp(): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00'].map((background) =>
      sharp({ create: { ...base, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
}

type Row = readonly [name: string, content: Buffer, fileName?: string, type?: string];

function accepted(...rows: readonly Row[]): CorpusFile[] {
  return refused(TAKEN, ...rows);
}

function refused(expected: string, ...rows: readonly Row[]): CorpusFile[] {
  return rows.map(([name, content, fileName, type]) => ({
    name,
    content,
    expected,
    ...(fileName === undefined ? {} : { fileName }),
    ...(type === undefined ? {} : { type }),
  }));
}
