import { UPLOAD_PURPOSES } from '@exchange/core/upload.ts';
import * as z from 'zod/mini';
import { id } from './codecs.ts';
import { endpoint, imageEndpoint, signedInRead, sessionAlone, type Charge } from './endpoint.ts';

const upload: Charge = { limit: 'upload', weight: 1 };

export const uploadFile = endpoint({
  path: '/file/upload',
  summary:
    'Takes one picture (JPEG, PNG or WebP of at most 5 MB and 40 megapixels) in the part `file` of a multipart body, for one purpose. It is decoded and written anew without what else the file held. Other calls take its `id`; what none takes within 24 hours is deleted. `hash` is SHA-256 of the file as it was sent.',
  access: sessionAlone('confirmedLater'),
  charge: upload,
  takesFile: true,
  fields: { purpose: z.enum(UPLOAD_PURPOSES, 'l.field_choice') },
  data: z.object({
    id: z.string(),
    /** Serves the picture to its owner, with the session's token in the header. */
    url: z.string(),
    hash: z.string(),
    width: z.int(),
    height: z.int(),
  }),
});

export const ownFile = imageEndpoint({
  path: '/file/get',
  summary: 'A picture that the caller has uploaded; of anybody else’s it says that there is none.',
  access: sessionAlone('reads'),
  charge: signedInRead(5),
  method: 'GET',
  fields: { id },
});
