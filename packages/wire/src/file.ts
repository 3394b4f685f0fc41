import { UPLOAD_PURPOSES } from '@exchange/core/upload.ts';
import * as z from 'zod/mini';
import { id } from './codecs.ts';
import { endpoint, imageEndpoint, signedInRead, sessionAlone, type Charge } from './endpoint.ts';

const upload: Charge = { limit: 'upload', weight: 1 };

export const uploadFile = endpoint({
  path: '/file/upload',
  summary:
    'Uploads one picture (JPEG, PNG or WebP of at most 5 MB and 40 megapixels) in the part `file` of a multipart body, for one purpose. It is decoded and encoded again, which removes metadata. Other calls use its `id`; a picture that no call uses within 24 hours is deleted. `hash` is the SHA-256 of the uploaded file.',
  access: sessionAlone('confirmedLater'),
  charge: upload,
  takesFile: true,
  fields: { purpose: z.enum(UPLOAD_PURPOSES, 'l.field_choice') },
  data: z.object({
    id: z.string(),
    /**
     * URL of the uploaded picture for the user who has uploaded it; requests must have the session's token in the
     * header.
     */
    url: z.string(),
    hash: z.string(),
    width: z.int(),
    height: z.int(),
  }),
});

export const ownFile = imageEndpoint({
  path: '/file/get',
  summary: 'A picture that the caller uploaded; pictures of other users are not found.',
  access: sessionAlone('reads'),
  charge: signedInRead(5),
  method: 'GET',
  fields: { id },
});
