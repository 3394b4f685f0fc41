import { isUtf8 } from 'node:buffer';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';

/**
 * Form fields by name. The object has no prototype, so that `__proto__` is an ordinary name. A field that was sent
 * empty exists with the value undefined, which schemas treat as absent.
 */
export type FormFields = Record<string, string | undefined>;

/** Content type of form bodies, without the parameter `charset`. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

export const FORM_LIMITS = { bodyBytes: 65_536, fields: 50 } as const;

const NOTHING: Result<FormFields, Refusal> = accepted(Object.freeze(Object.create(null) as FormFields));
const NOT_FORM_TEXT = refused(refusal('generic', 'l.body_encoding'));
const TOO_MANY = refused(refusal('generic', 'l.body_too_large'));

/** Decodes a form body like `decodeFormText`. Also refuses a body of more than `bytesMost` bytes. */
export function decodeForm(
  body: Buffer,
  bytesMost: number = FORM_LIMITS.bodyBytes,
): Result<FormFields, Refusal> {
  if (body.length > bytesMost) return TOO_MANY;
  return isUtf8(body) ? decodeFormText(body.toString('utf8')) : NOT_FORM_TEXT;
}

/**
 * Decodes form text, including the query of a URL. Refuses an invalid percent sequence, invalid UTF-8, a NUL
 * character (which PostgreSQL cannot store), a repeated field, and more than `FORM_LIMITS.fields` fields.
 */
export function decodeFormText(text: string): Result<FormFields, Refusal> {
  if (text === '') return NOTHING;
  const fields = Object.create(null) as FormFields;
  const names: string[] = [];
  for (let start = 0; start <= text.length;) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    if (end > start) {
      if (names.length === FORM_LIMITS.fields) return TOO_MANY;
      const problem = addField({ fields, names }, text, start, end);
      if (problem !== undefined) return problem;
    }
    start = end + 1;
  }
  return accepted(fields);
}

interface Decoded {
  readonly fields: FormFields;
  /** Names of the fields decoded so far, including empty ones, by which repeated fields are detected. */
  readonly names: string[];
}

function addField({ fields, names }: Decoded, text: string, start: number, end: number) {
  const equals = text.indexOf('=', start);
  const nameEnd = equals < 0 || equals > end ? end : equals;
  const name = decodePart(text.slice(start, nameEnd));
  const value = nameEnd === end ? '' : decodePart(text.slice(nameEnd + 1, end));
  if (name === undefined || value === undefined) return NOT_FORM_TEXT;
  if (names.includes(name))
    return refused(refusal('invalidField', 'l.field_repeated', { field: name.slice(0, 40) }));
  names.push(name);
  fields[name] = value === '' ? undefined : value;
  return undefined;
}

/** Decodes a name or value; undefined if it is not form-encoded UTF-8 or contains a NUL character. */
function decodePart(part: string): string | undefined {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced.includes('\0') ? undefined : spaced;
  try {
    const decoded = decodeURIComponent(spaced);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    // `decodeURIComponent` only throws a URIError: the text contains an invalid escape or is not UTF-8.
    return undefined;
  }
}
