import type { UploadPurpose } from '@exchange/core/upload.ts';
import { API_BASE, FILE_PART, type DataOf } from '@exchange/wire/endpoint.ts';
import { uploadFile } from '@exchange/wire/file.ts';
import sharp from 'sharp';
import { parseResponse, type ApiResponse } from '../../../../testing/calling.ts';
import type { TestTrader } from '../../../../testing/exchange.ts';

type Uploaded = DataOf<typeof uploadFile>;

/** A JPEG of a single colour; each test can choose another colour to have a different picture. */
export function aPicture(colour = '#336699', { width = 640, height = 420 } = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();
}

/** Sends a raw body with any content type to the upload endpoint. */
export async function sendBody(
  { url, token }: { readonly url: string; readonly token: string | undefined },
  body: FormData | Buffer | string,
  type?: string,
): Promise<ApiResponse<Uploaded>> {
  const response = await fetch(`${url}${API_BASE}${uploadFile.path}`, {
    method: 'POST',
    headers: {
      ...(token === undefined ? {} : { 'x-access-token': token }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    body: body as never,
  });
  return parseResponse<Uploaded>(response.status, await response.text());
}

/** Uploads one file as a browser does, and returns the whole answer. */
export function upload(
  trader: TestTrader,
  purpose: UploadPurpose,
  content: Buffer,
  { name = 'photo.jpg', type = 'image/jpeg' } = {},
): Promise<ApiResponse<Uploaded>> {
  const body = new FormData();
  body.append('purpose', purpose);
  body.append(FILE_PART, new Blob([content as never], { type }), name);
  return sendBody(trader, body);
}

/** Uploads a picture that the server must accept, and returns the data of its answer. */
export async function uploaded(
  trader: TestTrader,
  purpose: UploadPurpose,
  colour?: string,
): Promise<Uploaded> {
  const answer = await upload(trader, purpose, await aPicture(colour));
  if (answer.code !== 1) throw new Error(`the upload was refused: ${answer.text}`);
  return answer.data;
}
