import fastifyMultipart from '@fastify/multipart';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused, type RefusalKey } from '@exchange/core/refusal.ts';
import { UPLOAD_BYTES_MAX } from '@exchange/core/upload.ts';
import { FILE_PART } from '@exchange/wire/endpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FormFields } from './form.ts';

/** What a multipart body held: its fields as of a form, and its one file. */
export interface Upload {
  readonly fields: FormFields;
  readonly file: Buffer;
  /** To be called once nothing more is done with it. */
  readonly done: () => void;
}

/** Reads the body that a user sends; not before it is known that they may. */
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

/** Uploads at one time, with five megabytes each; and those of one user, however slowly they come. */
const AT_ONCE = 40;
const AT_ONCE_EACH = 3;
const underWay = new Map<UserId, number>();

/** Registers calls that take a file where bodies of that type are read, and no others. */
export async function takeUploads(
  app: FastifyInstance,
  registerRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { limits: LIMITS });
    // Any other type goes on unread: who calls is asked first, and then it is refused.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    registerRoutes(scope);
  });
}

/** The fields and the file of a request. Refuses what is no multipart body, more or less than one file, and too much. */
export async function readUpload(request: FastifyRequest, sender: UserId): Promise<Upload> {
  if (!request.isMultipart()) throw new Refused(refusal('generic', 'l.body_multipart'));
  const done = begin(sender);
  try {
    return { ...(await partsOf(request)), done };
  } catch (thrown) {
    done();
    throw thrown instanceof Refused ? thrown : new Refused(refusalOf(thrown));
  } finally {
    // What was not read is thrown away, so that the connection can be used again.
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** How many uploads of a user are being read or worked on at the moment. */
export function uploadsUnderWay(sender: UserId): number {
  return underWay.get(sender) ?? 0;
}

/** Counts an upload of a user until what it gives is called; refuses one too many. */
function begin(sender: UserId): () => void {
  const own = uploadsUnderWay(sender);
  const all = [...underWay.values()].reduce((sum, one) => sum + one, 0);
  if (own >= AT_ONCE_EACH || all >= AT_ONCE) throw new Refused(refusal('maintenance', 'l.busy'));
  underWay.set(sender, own + 1);
  return () => {
    const left = underWay.get(sender)! - 1;
    if (left > 0) underWay.set(sender, left);
    else underWay.delete(sender);
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

const MANY: ReadonlySet<string> = new Set(['FST_FILES_LIMIT', 'FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT']);

/** The reader throws its own errors for what is too much, and plain ones for what is no multipart body. */
function refusalOf(thrown: unknown) {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return refusal('invalidField', 'l.file_too_large', { field: FILE_PART, limit: '5', unit: 'MB' });
  const key: RefusalKey = MANY.has(code) ? 'l.file_single' : 'l.body_multipart';
  return key === 'l.file_single'
    ? refusal('invalidField', key, { field: FILE_PART })
    : refusal('generic', key);
}
