/** Identifies a file by its content before it is decoded. File names and declared types are ignored. */

export type PictureFormat = 'jpeg' | 'png' | 'webp';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The picture format, or undefined for any other file. */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, PNG)) return 'png';
  return isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WEBP') ? 'webp' : undefined;
}

/**
 * Whether the file's header says that the picture is animated: by an `acTL` chunk of a PNG, or the flag of a
 * WebP.
 */
export function isAnimated(bytes: Buffer, format: PictureFormat): boolean {
  if (format === 'png') return hasPngChunk(bytes, 'acTL', 'IDAT');
  // The animation flag in the header of the extended format.
  return format === 'webp' && isText(bytes, 12, 'VP8X') && ((bytes[20] ?? 0) & 0x02) !== 0;
}

/** Text that makes other programs treat a file as a script or a page, in any case. */
const FOREIGN_WORDS = ['<script', '<?php', '<!doctype html', '<html', '__halt_compiler', '<iframe'];
/**
 * Bytes at the start and the end of a file that are searched: metadata is at the start, appended
 * data at the end.
 */
const HEAD = 65_536;
const TAIL = 131_072;
/** PDF readers search for the signature in this many bytes at the start of a file. */
const PDF_WITHIN = 1_024;
const ZIP_END = 'pk\u0005\u0006';
/** Size of a ZIP's end record, without the trailing comment whose length is in its last two bytes. */
const ZIP_END_BYTES = 22;

/**
 * Whether other programs could interpret an uploaded picture as something else: a page, a script, a
 * PDF or an archive.
 */
export function isPolyglot(bytes: Buffer): boolean {
  const head = lowerText(bytes.subarray(0, HEAD));
  const tail = lowerText(bytes.subarray(-TAIL));
  if (FOREIGN_WORDS.some((word) => head.includes(word) || tail.includes(word))) return true;
  const mark = head.indexOf('%pdf-');
  return (mark >= 0 && mark < PDF_WITHIN) || endsAsZip(bytes.subarray(-TAIL), tail);
}

/**
 * Whether a file ends like a ZIP archive. Archives are read from the end: the last record contains the length
 * of the comment after it.
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

/** Decodes bytes as text with one character per byte, in lower case. */
function lowerText(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}
