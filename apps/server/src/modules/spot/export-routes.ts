import { exportRecords } from '@exchange/wire/export.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Exports } from './export.ts';

/** The call that answers with a file of what the user has done. */
export function exportRoutes(exports: Exports): Route[] {
  return [
    route(exportRecords, (fields, { session, locale }) => exports.open(session.userId, fields, locale)),
  ];
}
