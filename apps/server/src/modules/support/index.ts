import type { Operation } from '../../platform/console/operation.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Demo } from '../../platform/demo.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { SUPPORT_ROLES, supportOperations } from './operations.ts';
import { supportRoutes } from './routes.ts';
import { seedSupport } from './demo.ts';
import { Support, type SupportParts } from './service.ts';
import { supportRecords } from './repository.ts';

export type { ChatSettings, Support, Writer } from './service.ts';
export { SUPPORT_TEXTS } from './words/demo-texts.ts';

/**
 * support: requests to customer service and the answers of operators. If a live chat is configured, the apps' pages
 * embed the chat; otherwise customers can only write by a form.
 */
export interface SupportModule {
  readonly name: 'support';
  readonly support: Support;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  readonly records: readonly RecordSource[];
  /** Creates the demo's support requests. */
  seed(demo: Demo): Promise<void>;
}

export function createSupport(
  deps: SupportParts & { readonly jobs: Pick<Jobs, 'define'>; readonly demoTexts: DemoTexts },
): SupportModule {
  const support = new Support(deps);
  deps.jobs.define('support.forget', () => support.deleteOld(), { cron: '17 3 * * *' });
  return {
    name: 'support',
    support,
    routes: supportRoutes(support, deps.demoTexts),
    records: [supportRecords(deps.database.reader, SUPPORT_ROLES)],
    operations: supportOperations(support),
    seed: (demo) => seedSupport(support, demo),
  };
}
