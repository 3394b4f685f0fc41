import { describeOperation, type Role } from '../operation.ts';
import {
  AGE,
  COUNT,
  emailOf,
  EVENT_TIME,
  ID,
  INSTANT,
  labelled,
  optional,
  status,
  TEXT,
  UID,
  USER,
  WORD,
} from './columns.ts';

const HITS = '/ops/screening/hits';
const READERS = ['reviewer', 'finance', 'approver', 'auditor'] as const satisfies readonly Role[];
const HIT = {
  subjectKind: labelled('What', WORD),
  subject: labelled('Of', ID),
  owner: USER,
  screened: optional(labelled('Address', ID)),
  list: TEXT,
  reference: labelled('Number in the list', TEXT),
  entry: labelled('Entry of the list', TEXT),
  state: status({ open: 'waits', cleared: 'good', confirmed: 'bad' }),
  createdAt: INSTANT,
  id: ID,
} as const;
const HIT_EVIDENCE = {
  facts: {
    ...HIT,
    uid: optional(UID),
    email: optional(emailOf('owner')),
  },
} as const;

export const sanctionHits = describeOperation({
  method: 'GET',
  path: HITS,
  name: 'Sanctions hits',
  isQueue: true,
  summary:
    'Addresses and recipients of withdrawals, senders of deposits and names of identities that match a sanctions list. Withdrawals of the account wait until two persons have cleared the hit. Never mention it to the user. While “Sanctions lists” is empty, nothing is compared and no hit can appear.',
  roles: READERS,
  rows: {
    in: 'hits',
    key: ['id'],
    title: ['entry', 'list'],
    since: 'createdAt',
    shown: [AGE, 'subjectKind', 'owner', 'entry', 'list', 'screened'],
    empty: 'No hit waits. Whether screening is on, and which lists are in use, is under “Sanctions lists”.',
    columns: HIT,
  },
});

export const decidedHits = describeOperation({
  method: 'GET',
  path: '/ops/screening/decided',
  name: 'Decided hits',
  summary: 'Hits that were cleared or confirmed, newest first. Confirmed ones keep holding withdrawals.',
  roles: READERS,
  rows: {
    in: 'hits',
    key: ['id'],
    title: ['entry', 'list'],
    shown: ['decidedAt', 'state', 'subjectKind', 'owner', 'entry', 'list', 'by'],
    columns: {
      ...HIT,
      decidedAt: optional(EVENT_TIME),
      by: optional(TEXT),
      reason: optional(TEXT),
    },
  },
});

export const sanctionLists = describeOperation({
  method: 'GET',
  path: '/ops/screening/lists',
  name: 'Sanctions lists',
  summary:
    'The lists in use, each from a file of the folder SANCTIONS_FOLDER, which is read every ten minutes.',
  roles: READERS,
  rows: {
    in: 'lists',
    key: ['name'],
    title: ['name'],
    empty:
      'No list is in use. If SANCTIONS_FOLDER is not set, screening is off: no address and no name is compared with a list.',
    columns: {
      name: TEXT,
      addresses: COUNT,
      names: COUNT,
      importedAt: EVENT_TIME,
      problem: optional(TEXT),
    },
  },
});

export const clearHit = describeOperation({
  method: 'POST',
  path: `${HITS}/:id/clear`,
  name: 'Clear',
  summary: 'Decides that the match is not the listed person or address. Withdrawals of the account go on.',
  roles: ['reviewer', 'finance'],
  concerns: [HITS, '/ops/screening/decided'],
  appliesWhere: [{ column: 'state', is: ['open', 'confirmed'] }],
  evidence: HIT_EVIDENCE,
});

export const confirmHit = describeOperation({
  method: 'POST',
  path: `${HITS}/:id/confirm`,
  name: 'Confirm',
  summary:
    'Confirms the match. Withdrawals of the account stay held: reject or return them with the reason “sanctions”, and restrict the account.',
  roles: ['reviewer', 'finance'],
  concerns: [HITS],
  appliesWhere: [{ column: 'state', is: ['open'] }],
  emphasis: 'danger',
  evidence: HIT_EVIDENCE,
});
