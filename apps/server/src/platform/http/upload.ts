import fastifyMultipart from '@fastify/multipart';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused, type RefusalKey } from '@exchange/core/refusal.ts';
import { UPLOAD_BYTES_MAX } from '@exchange/core/upload.ts';
import { FILE_PART } from '@exchange/wire/endpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FormFields } from './form.ts';

/** The decoded body of an upload: form fields and one file. */
export interface Upload {
  readonly fields: FormFields;
  readonly file: Buffer;
  /** Must be called when the upload was processed, so that it no longer counts towards the limits of uploads. */
  readonly done: () => void;
}

/** Reads the body of an upload. It is called after the sender's session and limits were checked. */
export type ReadUpload = (sender: UserId) => Promise<Upload>;

const LIMITS = {
  fileSize: UPLOAD_BYTES_MAX,
  files: 1,
  fields: 10,
  parts: 11,
  fieldSize: 200,
  fieldNameSize: 40,
  headerPairs: 20,
} as const;

/**
 * Maximum number of uploads that this process receives or processes at a time, in total and per user. Further uploads
 * are refused with `l.busy`.
 */
const UPLOADS_MAX = 40;
const UPLOADS_PER_USER_MAX = 3;
const uploadsByUser = new Map<UserId, number>();

/**
 * Registers endpoints with uploads in a scope that parses multipart bodies only. Other bodies remain unread,
 * and `readUpload` refuses them.
 */
export async function takeUploads(
  app: FastifyInstance,
  registerRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { limits: LIMITS });
    // Bodies of other types are not read here; `readUpload` refuses them after the caller is identified.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    registerRoutes(scope);
  });
}

/**
 * Reads the fields and the file of a request. Throws `Refused` if the body is not multipart, is malformed, does not
 * have exactly one file or exceeds the limits, or if too many other uploads are in progress. This upload counts as in
 * progress until the caller calls `done`.
 */
export async function readUpload(request: FastifyRequest, sender: UserId): Promise<Upload> {
  if (!request.isMultipart()) throw new Refused(refusal('generic', 'l.body_multipart'));
  const release = startUpload(sender);
  try {
    return { ...(await partsOf(request)), done: release };
  } catch (thrown) {
    release();
    throw thrown instanceof Refused ? thrown : new Refused(refusalOf(thrown));
  } finally {
    // Discards unread bytes of an upload, so that the connection can be reused.
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** Returns the number of a user's uploads that are being received or processed. */
export function uploadsUnderWay(sender: UserId): number {
  return uploadsByUser.get(sender) ?? 0;
}

/**
 * Counts a user's upload until the returned function is called. Throws `Refused` if too many uploads of the
 * user, or of all users together, are in progress.
 */
function startUpload(sender: UserId): () => void {
  const ofUser = uploadsUnderWay(sender);
  const total = [...uploadsByUser.values()].reduce((sum, count) => sum + count, 0);
  if (ofUser >= UPLOADS_PER_USER_MAX || total >= UPLOADS_MAX)
    throw new Refused(refusal('maintenance', 'l.busy'));
  uploadsByUser.set(sender, ofUser + 1);
  return () => {
    const remaining = uploadsByUser.get(sender)! - 1;
    if (remaining > 0) uploadsByUser.set(sender, remaining);
    else uploadsByUser.delete(sender);
  };
}

async function partsOf(request: FastifyRequest): Promise<Omit<Upload, 'done'>> {
  const fields = Object.create(null) as FormFields;
  let file: Buffer | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (part.fieldname !== FILE_PART || file !== undefined)
        throw new Refused(refusal('invalidField', 'l.file_single', { field: FILE_PART }));
      file = await part.toBuffer();
      continue;
    }
    const { fieldname, value, valueTruncated, fieldnameTruncated } = part;
    if (fieldnameTruncated || valueTruncated || typeof value !== 'string')
      throw new Refused(refusal('generic', 'l.body_multipart'));
    if (value.includes('\0') || fieldname.includes('\0'))
      throw new Refused(refusal('generic', 'l.body_encoding'));
    if (fieldname in fields)
      throw new Refused(refusal('invalidField', 'l.field_repeated', { field: fieldname }));
    fields[fieldname] = value === '' ? undefined : value;
  }
  if (file === undefined || file.length === 0)
    throw new Refused(refusal('invalidField', 'l.file_required', { field: FILE_PART }));
  return { fields, file };
}

const LIMIT_CODES: ReadonlySet<string> = new Set(['FST_FILES_LIMIT', 'FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT']);

/**
 * Returns the refusal for an error of the multipart parser, which has a code for each limit and none for
 * malformed bodies.
 */
function refusalOf(thrown: unknown) {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return refusal('invalidField', 'l.file_too_large', { field: FILE_PART, limit: '5', unit: 'MB' });
  const key: RefusalKey = LIMIT_CODES.has(code) ? 'l.file_single' : 'l.body_multipart';
  return key === 'l.file_single'
    ? refusal('invalidField', key, { field: FILE_PART })
    : refusal('generic', key);
}
