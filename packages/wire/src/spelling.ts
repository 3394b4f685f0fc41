import * as z from 'zod/mini';

/**
 * This file normalizes the text fields of requests once, before the server checks, compares, hashes or looks
 * them up.
 */

/** Schemas of fields in which compatibility characters, such as `①` or `㎏`, are not converted. */
const KEEPS_COMPATIBILITY_FORMS = new WeakSet<object>();

/**
 * Marks a field in which compatibility characters are not converted: passwords, and texts for other people. All other
 * fields are normalized to NFKC, which converts full-width digits and the ideographic space to plain ones.
 */
export function keepCompatibilityForms<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  KEEPS_COMPATIBILITY_FORMS.add(schema);
  return schema;
}

/**
 * Matches ASCII text, which is already normalized and therefore kept as it is; nearly all fields are ASCII.
 */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\0-\x7f]*$/;

/**
 * Returns a function that normalizes the fields of a request in place: to NFC if `keepCompatibilityForms` has marked
 * the field, otherwise to NFKC.
 */
export function fieldNormaliser(
  fields: z.ZodMiniType,
): <Sent extends Record<string, string | undefined>>(sent: Sent) => Sent {
  const shape =
    fields instanceof z.ZodMiniObject ? (fields.shape as Readonly<Record<string, z.ZodMiniType>>) : {};
  const nfcFields = new Set(
    Object.entries(shape).flatMap(([name, schema]) => (keepsCompatibilityForms(schema) ? [name] : [])),
  );
  return (form) => {
    for (const name in form) {
      const text = form[name];
      if (text === undefined || PLAIN.test(text)) continue;
      (form as Record<string, string | undefined>)[name] = text.normalize(
        nfcFields.has(name) ? 'NFC' : 'NFKC',
      );
    }
    return form;
  };
}

function keepsCompatibilityForms(schema: z.ZodMiniType): boolean {
  if (KEEPS_COMPATIBILITY_FORMS.has(schema)) return true;
  return (
    schema instanceof z.ZodMiniOptional && keepsCompatibilityForms(schema._zod.def.innerType as z.ZodMiniType)
  );
}
