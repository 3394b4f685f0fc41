import * as z from 'zod/mini';

/**
 * The one spelling in which fields from outside are read, whatever keyboard or document they come from. It is applied once,
 * before any field is checked, compared, hashed or looked up.
 */

/** Text that is stored and shown as it was written: compatibility forms such as `①` or `㎏` stay. */
const WRITTEN = new WeakSet<object>();

/**
 * Marks a field whose text keeps its compatibility forms: passwords, and prose for other people. Every other field is read
 * in NFKC, so that full-width digits and the ideographic space are the plain ones.
 */
export function asWritten<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  WRITTEN.add(schema);
  return schema;
}

/** Text of plain characters has one spelling only, and nearly all fields are such. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\0-\x7f]*$/;

/** Reads the fields of a call in their one spelling: NFC where marked by `asWritten`, else NFKC. Changes them in place. */
export function spellingReader(
  fields: z.ZodMiniType,
): <Sent extends Record<string, string | undefined>>(sent: Sent) => Sent {
  const shape =
    fields instanceof z.ZodMiniObject ? (fields.shape as Readonly<Record<string, z.ZodMiniType>>) : {};
  const written = new Set(
    Object.entries(shape).flatMap(([name, schema]) => (isWritten(schema) ? [name] : [])),
  );
  return (sent) => {
    for (const name in sent) {
      const text = sent[name];
      if (text === undefined || PLAIN.test(text)) continue;
      (sent as Record<string, string | undefined>)[name] = text.normalize(written.has(name) ? 'NFC' : 'NFKC');
    }
    return sent;
  };
}

function isWritten(schema: z.ZodMiniType): boolean {
  if (WRITTEN.has(schema)) return true;
  return schema instanceof z.ZodMiniOptional && isWritten(schema._zod.def.innerType as z.ZodMiniType);
}
