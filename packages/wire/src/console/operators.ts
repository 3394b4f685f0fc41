import { SEVERAL_MAX } from '@exchange/core/operator-period.ts';
import { describeOperation, ROLES, type OperationField, type Role } from '../operation.ts';
import {
  AGE,
  COUNT,
  EVENT_TIME,
  FLAG,
  hidden,
  ID,
  INSTANT,
  labelled,
  OPERATION,
  optional,
  ORDINAL,
  RECORD,
  recordOf,
  status,
  TEXT,
} from './columns.ts';

const PROPOSALS = '/ops/proposals';
const ACCOUNTS = '/ops/operators';
const IS_OPEN = { column: 'state', is: ['open'] } as const;

/** The columns of the audit log. */
export const AUDIT_COLUMNS = {
  sequence: ORDINAL,
  at: EVENT_TIME,
  operator: TEXT,
  action: OPERATION,
  event: status({
    done: 'good',
    proposed: 'waits',
    failed: 'bad',
    refused: 'bad',
  }),
  parameters: recordOf('action'),
  fields: recordOf('action'),
  reason: TEXT,
  result: RECORD,
  approvedBy: optional(TEXT),
  hash: ID,
} as const;

export const proposals = describeOperation({
  method: 'GET',
  path: PROPOSALS,
  name: 'Proposals',
  isQueue: true,
  summary: 'Calls that wait for a second person, then the latest 50 that were decided.',
  roles: ROLES,
  rows: {
    in: 'proposals',
    key: ['id'],
    title: ['operation', 'parameters'],
    since: 'createdAt',
    pending: { column: 'state', is: ['open', 'running'] },
    shown: [AGE, 'operation', 'parameters', 'operator', 'reason', 'state'],
    columns: {
      operation: OPERATION,
      state: status({
        done: 'good',
        open: 'waits',
        running: 'waits',
        expired: 'bad',
        failed: 'bad',
        interrupted: 'bad',
        rejected: 'bad',
      }),
      operator: TEXT,
      reason: TEXT,
      parameters: recordOf('operation'),
      fields: hidden(recordOf('operation')),
      createdAt: INSTANT,
      expiresAt: INSTANT,
      decidedBy: optional(TEXT),
      result: optional(RECORD),
      movesMoney: hidden(FLAG),
      id: ID,
    },
  },
});

export const proposalEvidence = describeOperation({
  method: 'GET',
  path: `${PROPOSALS}/:id/evidence`,
  name: 'Evidence',
  summary: 'What a call that waits is about, as it is now.',
  roles: ['approver'],
  concerns: [PROPOSALS],
});

export const approveProposal = describeOperation({
  method: 'POST',
  path: `${PROPOSALS}/:id/approve`,
  name: 'Approve',
  summary: 'Approves a call of another operator, which then runs once.',
  roles: ['approver'],
  concerns: [PROPOSALS],
  appliesWhere: [IS_OPEN],
  emphasis: 'main',
  key: 'a',
  fields: {
    retyped: {
      label: 'The amount again (for a payment also: the last four characters of its destination)',
      kind: 'text',
      onlyWhere: 'movesMoney',
    },
  },
});

export const rejectProposal = describeOperation({
  method: 'POST',
  path: `${PROPOSALS}/:id/reject`,
  name: 'Reject',
  summary: 'Rejects a call that waits, or takes one’s own back.',
  roles: ROLES,
  concerns: [PROPOSALS],
  appliesWhere: [IS_OPEN],
  emphasis: 'danger',
  key: 'r',
  withoutCode: 'Nothing is done by it: what is rejected can be proposed again.',
});

const SCHEDULED = `${PROPOSALS}/scheduled`;

export const scheduledCalls = describeOperation({
  method: 'GET',
  path: SCHEDULED,
  name: 'Scheduled',
  summary:
    'Confirmed changes that take effect later, the earliest first, then the latest 50 that took effect or did not.',
  roles: ROLES,
  rows: {
    in: 'scheduled',
    key: ['id'],
    title: ['operation', 'parameters'],
    pending: { column: 'state', is: ['waiting', 'running'] },
    shown: ['startsAt', 'operation', 'parameters', 'operator', 'approvedBy', 'reason', 'state'],
    empty: 'Nothing is scheduled.',
    columns: {
      startsAt: labelled('Takes effect', INSTANT),
      operation: OPERATION,
      state: status({
        done: 'good',
        waiting: 'waits',
        running: 'waits',
        cancelled: 'bad',
        failed: 'bad',
        interrupted: 'bad',
        refused: 'bad',
      }),
      operator: TEXT,
      approvedBy: optional(TEXT),
      reason: TEXT,
      parameters: recordOf('operation'),
      fields: recordOf('operation'),
      createdAt: INSTANT,
      endedAt: optional(INSTANT),
      endedBy: optional(TEXT),
      result: optional(TEXT),
      id: ID,
    },
  },
});

export const cancelScheduled = describeOperation({
  method: 'POST',
  path: `${SCHEDULED}/:id/cancel`,
  name: 'Cancel the start',
  summary: 'Takes back a change that waits for its time; it can be made again.',
  roles: ['product', 'finance', 'approver'],
  concerns: [SCHEDULED],
  appliesWhere: [{ column: 'state', is: ['waiting'] }],
  emphasis: 'danger',
  key: 'r',
});

export const decideSeveral = describeOperation({
  method: 'POST',
  path: '/ops/several',
  name: 'Decide several',
  summary: `Decides up to ${SEVERAL_MAX} rows of a queue alike with one confirmation. Each is checked and recorded by itself.`,
  roles: ROLES,
  isRoutine: true,
  fields: {
    operation: { label: 'Operation', kind: 'text' },
    rows: { label: 'Rows', kind: 'longText' },
    values: { label: 'Values', kind: 'longText', isOptional: true },
  },
});

const AUDIT_FIELDS = {
  operator: { label: 'Operator', kind: 'text', isOptional: true },
  operation: { label: 'Operation', kind: 'text', isOptional: true },
  subject: { label: 'About (ID)', kind: 'text', isOptional: true },
  from: { label: 'From day, UTC', kind: 'day', isOptional: true },
  to: { label: 'To day, UTC', kind: 'day', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;

export const auditLog = describeOperation({
  method: 'GET',
  path: '/ops/audit',
  name: 'Audit',
  summary: 'The audit log, newest first.',
  roles: ['auditor'],
  fields: AUDIT_FIELDS,
  rows: {
    in: 'audit',
    key: ['sequence'],
    title: ['action', 'parameters'],
    shown: ['at', 'operator', 'action', 'parameters', 'event', 'reason', 'approvedBy'],
    columns: AUDIT_COLUMNS,
  },
});

export const auditExport = describeOperation({
  method: 'GET',
  path: '/ops/audit/export',
  name: 'Save as CSV',
  summary: 'The audit log as a file, all rows of the filter, newest first.',
  roles: ['auditor'],
  fields: AUDIT_FIELDS,
  isFile: true,
});

export const checkAudit = describeOperation({
  method: 'POST',
  path: '/ops/audit/check',
  name: 'Check the log',
  summary: 'Recomputes the audit log from its first row.',
  roles: ['auditor'],
  withoutCode: 'It only reads.',
});

const ROLES_FIELD = { label: 'Roles', kind: 'several', choices: ROLES } as const;
/** Facts that the console shows to the second operator, who approves a new or changed operator account. */
const ACCOUNT_EVIDENCE = {
  facts: {
    name: TEXT,
    email: optional(TEXT),
    roles: optional(TEXT),
    rolesNow: optional(TEXT),
    emailNow: optional(TEXT),
    isDisabled: optional(FLAG),
  },
} as const;
const OWNERS_ONLY: readonly Role[] = ['owner'];

export const operators = describeOperation({
  method: 'GET',
  path: ACCOUNTS,
  name: 'Operators',
  summary: 'Operators and their roles.',
  roles: ['auditor'],
  rows: {
    in: 'operators',
    key: ['name'],
    title: ['email', 'name'],
    shown: ['name', 'email', 'roles', 'hasSignedIn', 'isDisabled'],
    columns: {
      name: TEXT,
      email: optional(TEXT),
      roles: TEXT,
      isDisabled: FLAG,
      hasAuthenticator: FLAG,
      hasSignedIn: FLAG,
      invitedUntil: optional(INSTANT),
      recoveryCodesLeft: COUNT,
      createdAt: INSTANT,
    },
  },
});

export const renewRecoveryCodes = describeOperation({
  method: 'POST',
  path: `${ACCOUNTS}/recovery-codes`,
  name: 'Renew my recovery codes',
  summary: 'Gives you ten new recovery codes, shown once; those you have are void.',
  roles: ROLES,
});

export const inviteOperator = describeOperation({
  method: 'POST',
  path: `${ACCOUNTS}/:name/invite`,
  name: 'Invite or reset',
  summary:
    'Invites an operator, or resets one who has lost password or authenticator. A one-time code is mailed to them; nobody else sees it.',
  roles: OWNERS_ONLY,
  concerns: [ACCOUNTS],
  creates: { name: 'Invite somebody' },
  fields: { email: { label: 'Mail address', kind: 'text' }, roles: ROLES_FIELD },
  evidence: ACCOUNT_EVIDENCE,
});

export const changeRoles = describeOperation({
  method: 'POST',
  path: `${ACCOUNTS}/:name/roles`,
  name: 'Change roles',
  summary: 'Gives an operator other roles; they have to sign in again.',
  roles: OWNERS_ONLY,
  concerns: [ACCOUNTS],
  fields: { roles: ROLES_FIELD },
  evidence: ACCOUNT_EVIDENCE,
});

export const disableOperator = describeOperation({
  method: 'POST',
  path: `${ACCOUNTS}/:name/disable`,
  name: 'Disable',
  summary: 'Shuts an operator out at once.',
  roles: OWNERS_ONLY,
  concerns: [ACCOUNTS],
  appliesWhere: [{ column: 'isDisabled', is: [false] }],
  emphasis: 'danger',
});

export const enableOperator = describeOperation({
  method: 'POST',
  path: `${ACCOUNTS}/:name/enable`,
  name: 'Enable',
  summary: 'Lets an operator in again.',
  roles: OWNERS_ONLY,
  concerns: [ACCOUNTS],
  appliesWhere: [{ column: 'isDisabled', is: [true] }],
  evidence: ACCOUNT_EVIDENCE,
});
