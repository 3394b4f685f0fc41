import * as z from 'zod/mini';

/**
 * Normalisation of text fields in requests. It is applied once, before fields are checked, compared, hashed
 * or looked up.
 */

/** Schemas whose text keeps compatibility forms such as `①` or `㎏`. */
const KEEPS_COMPATIBILITY_FORMS = new WeakSet<object>();

/**
 * Marks a field that keeps compatibility forms: passwords, and prose for other people. All other fields are
 * normalised to NFKC, so that full-width digits and the ideographic space become plain ones.
 */
export function keepCompatibilityForms<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  KEEPS_COMPATIBILITY_FORMS.add(schema);
  return schema;
}

/** ASCII text is already normalised; nearly all fields are ASCII. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\0-\x7f]*$/;

/**
 * Returns a function that normalises the fields of a request in place: NFC for fields marked by
 * `keepCompatibilityForms`, otherwise NFKC.
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
