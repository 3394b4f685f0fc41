/**
 * This file identifies uploaded files by their content before they are decoded; file names and declared types are
 * ignored.
 */

export type PictureFormat = 'jpeg' | 'png' | 'webp';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The picture format of a file; undefined for a file that is not a JPEG, PNG or WebP. */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, PNG)) return 'png';
  return isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WEBP') ? 'webp' : undefined;
}

/**
 * True if the header of the file states that the picture is animated: by a chunk `acTL` in a PNG, or by a flag in a
 * WebP.
 */
export function isAnimated(bytes: Buffer, format: PictureFormat): boolean {
  if (format === 'png') return hasPngChunk(bytes, 'acTL', 'IDAT');
  // The flag for animations in the header of WebP's extended format.
  return format === 'webp' && isText(bytes, 12, 'VP8X') && ((bytes[20] ?? 0) & 0x02) !== 0;
}

/**
 * Words, in upper or lower case, because of which other programs would treat a file as a script or a page. An
 * upload with such a word near its start or end is refused.
 */
const FOREIGN_WORDS = ['<script', '<?php', '<!doctype html', '<html', '__halt_compiler', '<iframe'];
/**
 * Numbers of bytes at the start and at the end of a file that are searched for signs of other formats than
 * pictures: metadata is at the start, appended data is at the end.
 */
const HEAD = 65_536;
const TAIL = 131_072;
/** Number of bytes at the start of a file in which PDF readers search for the signature of a PDF. */
const PDF_WITHIN = 1_024;
const ZIP_END = 'pk\u0005\u0006';
/**
 * Size in bytes of the end record of a ZIP archive without its comment; the last two bytes contain the length of the
 * comment.
 */
const ZIP_END_BYTES = 22;

/**
 * True if a file contains signs that other programs could interpret it as something else than a picture: words of a
 * script or page near its start or end, the signature of a PDF near its start, or the end of a ZIP archive.
 */
export function isPolyglot(bytes: Buffer): boolean {
  const head = lowerText(bytes.subarray(0, HEAD));
  const tail = lowerText(bytes.subarray(-TAIL));
  if (FOREIGN_WORDS.some((word) => head.includes(word) || tail.includes(word))) return true;
  const mark = head.indexOf('%pdf-');
  return (mark >= 0 && mark < PDF_WITHIN) || endsAsZip(bytes.subarray(-TAIL), tail);
}

/**
 * True if a file ends like a ZIP archive. ZIP archives are read from the end: the last record states the length of the
 * comment that follows it.
 */
function endsAsZip(bytes: Buffer, text: string): boolean {
  for (let offset = text.indexOf(ZIP_END); offset >= 0; offset = text.indexOf(ZIP_END, offset + 1)) {
    if (offset + ZIP_END_BYTES > bytes.length) return false;
    if (offset + ZIP_END_BYTES + bytes.readUInt16LE(offset + ZIP_END_BYTES - 2) === bytes.length) return true;
  }
  return false;
}

function hasPngChunk(bytes: Buffer, type: string, stopType: string): boolean {
  for (let offset = PNG.length; offset + 8 <= bytes.length; offset += 12 + bytes.readUInt32BE(offset)) {
    if (isText(bytes, offset + 4, type)) return true;
    if (isText(bytes, offset + 4, stopType)) return false;
  }
  return false;
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function isText(bytes: Buffer, offset: number, text: string): boolean {
  return bytes.toString('latin1', offset, offset + text.length) === text;
}

/** Converts bytes to lower-case text with one character per byte. */
function lowerText(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}
