import type { ProjectStatus } from '@exchange/core/subscription.ts';
import {
  claimTokens,
  commitToProject,
  PROJECT_STATUS,
  projectDetail,
  projectPreview,
  projects,
  reduceCommitment,
  subscriptionFile,
  subscriptionRecordDetail,
  subscriptionRecords,
} from '@exchange/wire/subscription.ts';
import { StreamedJson } from '../../platform/http/exact-json.ts';
import {
  mapPage,
  pageAnswer,
  pageOfItems,
  type Route,
  route,
  submissionRoute,
} from '../../platform/http/route.ts';
import { presentDetail, presentPart, presentProject } from './present.ts';
import type { Subscription } from './service.ts';

const STATUSES = Object.entries(PROJECT_STATUS) as [ProjectStatus, number][];

/** Returns the handlers of the endpoints of token sales. */
export function subscriptionRoutes(subscription: Subscription): Route[] {
  return [
    route(projects, async ({ status, ...page }, { locale }) => {
      const matching = (await subscription.projects()).filter(
        (sale) => status === undefined || String(PROJECT_STATUS[sale.status]) === status,
      );
      const sales = pageOfItems(matching, page, ({ project }) => project.id);
      return pageAnswer(
        mapPage(sales, (sale) => presentProject(sale, locale)),
        page,
      );
    }),
    ...[projectDetail, projectPreview].map((endpoint) =>
      route(endpoint, async ({ id }, { session, locale }) =>
        presentDetail(await subscription.detail(id, session?.userId), locale),
      ),
    ),
    submissionRoute(commitToProject, {
      operation: 'subscription.commit',
      serve: ({ id, amount, agree, agreementVersion, version }, { session, submission }) =>
        subscription.commit(
          session.userId,
          { project: id, amount, agreed: agree ? agreementVersion : undefined, version },
          submission,
        ),
      restore: (stored, _caller, { id }) => subscription.restoreCommitment(stored, id),
    }),
    submissionRoute(reduceCommitment, {
      operation: 'subscription.reduce',
      serve: ({ id, amount }, { session, submission }) =>
        subscription.reduce(session.userId, { project: id, amount }, submission),
      restore: (stored, _caller, { id }) => subscription.restoreCommitment(stored, id),
    }),
    route(subscriptionRecords, async ({ status, ...page }, { session, locale }) => {
      const statusFilter = STATUSES.find(([, number]) => String(number) === status)?.[0];
      const records = await subscription.records(session.userId, statusFilter, page);
      return pageAnswer(
        mapPage(records, (part) => presentPart(part, locale)),
        page,
      );
    }),
    route(subscriptionRecordDetail, async ({ id }, { session, locale }) =>
      presentPart(await subscription.record(session.userId, id), locale),
    ),
    submissionRoute(claimTokens, {
      operation: 'subscription.claim',
      serve: ({ id }, { session, submission }) => subscription.claim(session.userId, id, submission),
    }),
    route(subscriptionFile, async ({ id, fileKind }) => {
      return new StreamedJson(presentFile(await subscription.file(id, fileKind)));
    }),
  ];
}

/**
 * Yields the data of `/subscribe/getFile` as JSON text, in parts, because the file of a large sale has
 * several megabytes.
 */
export async function* presentFile({
  parts,
  sha256,
}: Awaited<ReturnType<Subscription['file']>>): AsyncGenerator<string, void> {
  yield '{"content":"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield `","sha256":${JSON.stringify(sha256)}}`;
}
