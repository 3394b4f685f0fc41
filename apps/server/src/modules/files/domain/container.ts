/**
 * What a file is by its own first bytes and its structure, before anything decodes it. Names and types that a
 * sender gives are never looked at.
 */

export type PictureFormat = 'jpeg' | 'png' | 'webp';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Undefined for anything but the three formats that are taken. */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, PNG)) return 'png';
  return isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WEBP') ? 'webp' : undefined;
}

/** Whether a picture of this format moves: an animation chunk stands before the first picture. */
export function isAnimated(bytes: Buffer, format: PictureFormat): boolean {
  if (format === 'png') return hasPngChunk(bytes, 'acTL', 'IDAT');
  // The extended header's second flag from the right.
  return format === 'webp' && isText(bytes, 12, 'VP8X') && ((bytes[20] ?? 0) & 0x02) !== 0;
}

/** Words that begin a program or a page wherever they stand, in any case. */
const FOREIGN_WORDS = ['<script', '<?php', '<!doctype html', '<html', '__halt_compiler', '<iframe'];
/** Where such words count: what describes a picture stands before it, and what was appended behind it. */
const HEAD = 65_536;
const TAIL = 131_072;
/** Readers of PDF look for its mark so far into a file. */
const PDF_WITHIN = 1_024;
const ZIP_END = 'pk\u0005\u0006';
/** The last record of a ZIP without the comment behind it, whose length is in its last two bytes. */
const ZIP_END_BYTES = 22;

/** Whether other programs would take the picture for something else as well: a page, a program, a PDF or an archive. */
export function isForeign(bytes: Buffer): boolean {
  const head = lowerText(bytes.subarray(0, HEAD));
  const tail = lowerText(bytes.subarray(-TAIL));
  if (FOREIGN_WORDS.some((word) => head.includes(word) || tail.includes(word))) return true;
  const mark = head.indexOf('%pdf-');
  return (mark >= 0 && mark < PDF_WITHIN) || endsAsZip(bytes.subarray(-TAIL), tail);
}

/** An archive is read from its end: its last record names how long the comment behind it is. */
function endsAsZip(bytes: Buffer, text: string): boolean {
  for (let at = text.indexOf(ZIP_END); at >= 0; at = text.indexOf(ZIP_END, at + 1)) {
    if (at + ZIP_END_BYTES > bytes.length) return false;
    if (at + ZIP_END_BYTES + bytes.readUInt16LE(at + ZIP_END_BYTES - 2) === bytes.length) return true;
  }
  return false;
}

function hasPngChunk(bytes: Buffer, wanted: string, before: string): boolean {
  for (let at = PNG.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (isText(bytes, at + 4, wanted)) return true;
    if (isText(bytes, at + 4, before)) return false;
  }
  return false;
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function isText(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** One character per byte. */
function lowerText(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}
