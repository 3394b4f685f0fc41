import { describeOperation } from '../operation.ts';
import { COUNT, ID, INSTANT, optional, status, TERM, TEXTS, textFields } from './columns.ts';

const INCIDENTS = '/ops/status/incidents';

export const incidents = describeOperation({
  method: 'GET',
  path: INCIDENTS,
  name: 'Incidents',
  summary: 'The newest 100 incidents of the public status page with their newest report, the latest first.',
  roles: ['support', 'product', 'approver', 'auditor'],
  rows: {
    in: 'incidents',
    key: ['id'],
    title: ['component', 'startedAt'],
    shown: ['title', 'component', 'stage', 'startedAt', 'endedAt', 'reports'],
    columns: {
      id: ID,
      component: TERM,
      title: TEXTS,
      stage: status({
        investigating: 'bad',
        identified: 'bad',
        watching: 'waits',
        resolved: 'good',
      }),
      startedAt: INSTANT,
      endedAt: optional(INSTANT),
      reports: COUNT,
      content: optional(TEXTS),
    },
  },
});

export const openIncident = describeOperation({
  method: 'POST',
  path: INCIDENTS,
  name: 'Report an incident',
  summary: 'Opens an incident on the public status page, in every language, with its first report.',
  roles: ['support', 'product', 'approver'],
  fields: {
    component: {
      label: 'Concerns',
      kind: 'choice',
      choices: ['trading', 'transfers', 'api', 'site'],
    },
    ...textFields('title', 'Title', 'text'),
    ...textFields('content', 'Text', 'longText'),
  },
});

export const reportIncident = describeOperation({
  method: 'POST',
  path: `${INCIDENTS}/:id/reports`,
  name: 'Report on it',
  summary: 'Publishes a further report on an incident. “resolved” ends it; any other stage continues it.',
  roles: ['support', 'product', 'approver'],
  concerns: [INCIDENTS],
  fields: {
    stage: {
      label: 'Stage',
      kind: 'choice',
      choices: ['investigating', 'identified', 'watching', 'resolved'],
    },
    ...textFields('content', 'Text', 'longText'),
  },
});
