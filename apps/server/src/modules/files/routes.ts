import { API_BASE } from '@exchange/wire/endpoint.ts';
import { ownFile, uploadFile } from '@exchange/wire/file.ts';
import { pictureFile } from '../../platform/http/file-answer.ts';
import { route, uploadRoute, type Route } from '../../platform/http/route.ts';
import type { Files } from './service.ts';

/** The HTTP endpoints that upload files and return them to their owners. */
export function fileRoutes(files: Files): Route[] {
  return [
    uploadRoute(uploadFile, async ({ purpose }, { session }, bytes) => {
      const { id, hash, width, height } = await files.upload(session.userId, purpose, bytes);
      return { id, url: `${API_BASE}${ownFile.path}?id=${id}`, hash, width, height };
    }),
    route(ownFile, async ({ id }, { session }) =>
      pictureFile(`${id}.jpg`, await files.own(session.userId, id)),
    ),
  ];
}
